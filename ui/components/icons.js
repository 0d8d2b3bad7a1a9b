// Small pictures, drawn in one stroke on a field of 24.
const shapes = {
  menu: "M4 6.5h16M4 12h16M4 17.5h10", book: "M12 6.5C10 5 7 4.5 4 5v13c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5zm0 0v13",
  ear: "M8 19.500c1.500 1 3.500.3 3.800-1.500.4-2.500 4.700-3.500 4.700-8.200a5 5 0 0 0-10 .2M9.500 10.200a2 2 0 0 1 4 0c0 1.800-1.800 1.800-1.800 3.600",
  forget: "M7.500 6.500v13l4.500-3.800 4.500 3.800v-4M9.500 4.500h7v7.500M4 4l16 16",
  close: "M6 6l12 12M18 6L6 18", down: "M12 5v13m-6-6l6 6 6-6", send: "M5 12h13m-6-6l6 6-6 6", stop: "M7 7h10v10H7z",
  seek: "M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500L20 20M8.800 9.200a1.800 1.800 0 1 1 2.700 1.600c-.7.400-.9.700-.9 1.400m0 2.200v.1",
  lens: "M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500L20 20",
  star: "M12 4l2.4 5.1 5.6.7-4.100 3.900 1.100 5.600-5-2.800-5 2.800 1.100-5.600L4 9.800l5.600-.7z", folder: "M4 6h6l2 2.500h8V18.500H4z", box: "M4 5h16v4H4zM5.500 9v10h13V9M10 12.500h4",
  note: "M6 4h12v16H6zM9 8.500h6M9 12h6M9 15.500h3",
  ask: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.4 9.2a2.7 2.7 0 1 1 4 2.4c-1 .5-1.4 1-1.4 2m0 3v.1",
  thread: "M5 5h14v11H11l-4 3.5V16H5z", plus: "M12 5v14M5 12h14",
  highlight: "M4 4.500h7.500l8.500 8.500-7 7-9-8.500zM8.500 8.800v.1", probe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12v.1",
  mark: "M7.500 4.500h9v15l-4.500-3.800-4.500 3.800z",
  left: "M14.5 6l-6 6 6 6", right: "M9.5 6l6 6-6 6", more: "M6 12h.01M12 12h.01M18 12h.01", again: "M19 12a7 7 0 1 1-2.2-5.1L19 9m0-4.5V9h-4.5",
  onward: "M5 7h14M5 12h8M5 17h6m5-3.5l4 3.5-4 3.5z", pencil: "M5 19l1-4L16.5 4.5l3 3L9 18zM14.5 6.5l3 3", copy: "M9 9h10v11H9zM15 9V4.5H5V15h4",
  fork: "M7 4v16M7 14c0-4 10-2 10-8M14 8.5L17 5.5l3 3", flag: "M6 20.5V4h11l-2.5 4 2.5 4H6", ghost: "M5.5 20V11a6.5 6.5 0 0 1 13 0v9l-2.200-1.800L14.200 20 12 18.200 9.800 20l-2.100-1.800zM9.800 11v.1m4.400-.1v.1",
  eye: "M2.5 12C5 7.5 8.5 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-6 6.5-9.5 6.5S5 16.5 2.5 12zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  bin: "M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5.5m3-5.5v5.5", cut: "M4 5.5h16M12 10v9m-4.5-4.5L12 19l4.5-4.5", undo: "M5 9.5h9.5a4.5 4.5 0 0 1 0 9H9M9 5L4.5 9.5 9 14",
  redo: "M19 9.5H9.5a4.5 4.5 0 0 0 0 9H15M15 5l4.5 4.5L15 14", feather: "M4.5 19.5L14 10M7 17c-2-6 2.5-12.5 12.5-12.5C19.5 13 13.5 18.5 7 17zm2.5-2.5h5.5",
  pin: "M9 4.5h6l-.8 5.5 3.300 3.5h-11L9.800 10zM12 13.5V20", except: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM6 6l12 12", keys: "M3.5 7h17v10.5h-17zM7 10.5v.1m3.300-.1v.1m3.400-.1v.1m3.300-.1v.1M8 14h8",
  out: "M12 15V4.5m-4 4l4-4 4 4M5 14.5V19.500h14v-5", in: "M12 4.5V15m-4-4l4 4 4-4M5 14.5V19.500h14v-5",
  tongue: "M4 6h9M8.500 4v2m3 0c-.8 4-3.500 6.500-7 8m2.500-5c1 2.200 2.800 4 5 5M12.500 20l4-9.500 4 9.500M14 17h5",
  voice: "M5 9.500v5h3.500l4.500 4v-13l-4.500 4zM16 9a4 4 0 0 1 0 6M18.500 6.500a7.500 7.500 0 0 1 0 11",
  lock: "M6.500 11h11v8.500h-11zM9 11V8a3 3 0 0 1 6 0v3", unlock: "M6.500 11h11v8.500h-11zM9 11V7.500a3 3 0 0 1 5.800-1",
  back: "M4.5 5v5h5M5 10a7.5 7.5 0 1 1-.5 4", list: "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5v.1m0 5.400v.1m0 5.400v.1", tick: "M5 12.5l4.5 4.5L19 7.5", goto: "M5 5v6a3 3 0 0 0 3 3h11m-4-4l4 4-4 4", person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20c.8-4 3.800-6 7.500-6s6.700 2 7.500 6", cog: "M4 7h9m4 0h3M4 17h3m4 0h9M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM9 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z", curve: "M4 20h16M5 16l4.500-5 3.500 3.500 6-8",
};
K.icon = (name) => {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `k-icon k-icon-${name}`);
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", shapes[name]);
  svg.append(path);
  return svg;
};
// A button that is a picture; its name is read out and shown when pointed at.
K.tool = (icon, label, act, options = {}) =>
  K.el("button", { class: "k-plain", type: "button", "aria-label": label, title: label, onclick: act, ...options }, K.icon(icon));
