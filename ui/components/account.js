// Who is logged in, where there are accounts, and what becomes of the page when that ends.
const LOGIN = "/keepsake/login";
const KNOCK_MS = 10000;   // an event whose answer broke off with the login waits for ever, and asks no more
let watched = false;
const leave = () => location.assign(`${LOGIN}?to=${encodeURIComponent(`/${location.search || "?"}`)}`);
const watchDoor = (who) => {
  if (watched) return;
  watched = true;
  const ask = window.fetch;
  window.fetch = async (...request) => {
    const answer = await ask(...request);
    if (answer.status === 401) leave();   // what is typed stays with its chat, in this browser
    return answer;
  };
  const knock = () => { if (!document.hidden) fetch("/gradio_api/app_id").catch(() => {}); };
  setInterval(knock, KNOCK_MS);
  for (const name of ["visibilitychange", "pageshow"]) window.addEventListener(name, knock, true);
  // Somebody else logged in, or this one out, in another tab: what stands here is not theirs to see.
  K.keep("who", who.id);
  window.addEventListener("storage", (event) => {
    if (event.key !== "keepsake.who" || event.newValue === who.id) return;
    forget();
    location.reload();
  });
};
// What is in the box would be kept once more when the page goes.
const forget = () => {
  if (K.writing) K.writing.box.value = "";
  try { sessionStorage.removeItem("keepsake.drafting"); } catch { /* nothing was kept */ }
};
const logOut = async () => {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  try {
    await fetch("/keepsake/logout", { method: "POST", headers, body: "where=here", redirect: "manual" });
    forget();
    location.assign(`${LOGIN}?logged_out`);
  } catch { K.complain?.("no_server"); }
};
K.workbenchTool = () => K.tool("note", K.t("workbench"), () => location.assign("/keepsake/annotation"), { class: "k-plain", id: "k-workbench" });
// Whoever runs the house measures it: an admin, or the one person where there are no accounts.
K.runsTool = () => (!K.house?.account || K.house.account.admin) && K.tool("curve", K.t("evaluation_runs"), () => location.assign("/keepsake/runs"), { class: "k-plain", id: "k-runs" });
K.accountTool = () => {
  const who = K.house?.account;
  if (!who) return null;
  watchDoor(who);
  const items = [
    { name: "account", icon: "person", label: K.t("your_account"), act: () => location.assign("/keepsake/account") },
    who.admin && { name: "people", icon: "list", label: K.t("accounts"), act: () => location.assign("/keepsake/people") },
    { name: "logout", icon: "goto", label: K.t("log_out"), act: logOut },
  ].filter(Boolean);
  const said = K.t("logged_in_as", { name: who.name });
  return K.tool("person", said, (event) => K.menu(event.currentTarget, items, { title: said, head: said }), { id: "k-account", "aria-haspopup": "menu", "aria-expanded": "false" });
};
