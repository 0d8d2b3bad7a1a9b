// What stays the same while the page is open.
K.surface("facts", { element, props, watch }, (root, value) => {
  if (!value) return;
  K.house = value;
  K.redraw("place");
  K.redrawSoon();
});
