// The memory work of a conversation that is not done: what, of which rounds, how often tried, why it failed; and the buttons that help.
const LOOK_MS = 1500;
let open = null;
let timer = null;
const ask = () => { if (open) trigger("queue", { chat: K.chat, marks: K.marks }); };
const order = (operation, task = "") => trigger("task", { chat: K.chat, operation, task, marks: K.marks, ...K.view });

const rounds = (task) => (task.first === task.last ? K.t("round", { n: task.first }) : K.t("rounds_span", { first: task.first, last: task.last }));
const waits = (task) => task.until && new Date(task.until) > new Date() && K.t("task_until", { when: K.time(task.until) });
const row = (task) =>
  K.el("li", { class: `k-task k-task-${task.state}`, "data-task": task.id },
    K.el("span", { class: "k-badge", text: K.knows(`task_${task.state}`) ? K.t(`task_${task.state}`) : task.state }),
    K.el("div", { class: "k-bin-words" },
      K.el("p", {}, K.knows(`work_${task.kind}`) ? K.t(`work_${task.kind}`) : task.kind, " ", task.last > 0 && K.el("span", { class: "k-quiet", text: rounds(task) })),
      (task.attempts > 1 || waits(task)) && K.el("p", { class: "k-quiet", text: [task.attempts > 1 && K.t("task_attempts", { n: task.attempts }), waits(task)].filter(Boolean).join(" · ") }),
      task.error && K.el("p", { class: "k-task-error", text: task.error })),
    K.el("span", { class: "k-row-tools" },
      task.state === "failed" && K.el("button", { class: "k-button", type: "button", text: K.t("retry"), onclick: () => order("retry", task.id) }),
      task.state !== "leased" && K.tool("close", K.t("task_cancel"), () => order("cancel", task.id))));
const use = (u) => {
  const what = K.knows(`use_${u.purpose}`) ? K.t(`use_${u.purpose}`) : u.purpose;
  const line = K.t("use_line", { what, n: u.calls, tokens: u.tokens, seconds: u.seconds, model: u.model });
  return K.el("li", { class: "k-quiet", text: u.failed ? `${line} · ${K.t("use_failed", { n: u.failed })}` : line });
};

const rebuild = async () => {
  const sure = await K.confirm({ title: K.t("rebuild_title"), text: K.t("rebuild_means"), act: K.t("rebuild_do") });
  if (sure) order("rebuild");
};
let readTo = null;
const fill = (value) => {
  readTo ??= K.readPlace(() => open?.close());
  const { done, total } = value;
  const inside = open.content.contains(document.activeElement) && document.activeElement.closest("[data-task]")?.dataset.task;
  open.content.replaceChildren(
    K.el("p", { class: "k-quiet", text: K.t(!K.remembers() ? "memory_off_queue" : value.tasks.length ? "queue_means" : "queue_empty") }),
    readTo,
    total > done ? K.el("p", { class: "k-meter k-queue-meter" },
      K.el("progress", { max: total, value: done, "aria-label": K.t("queue") }), K.el("span", { text: K.t("queue_progress", { done, total }) })) : "",
    K.el("ul", { class: "k-tasks" }, value.tasks.map(row)),
    value.more > 0 ? K.el("p", { class: "k-quiet", text: K.t("queue_more", { n: value.more }) }) : "",
    value.uses.length ? K.el("details", { class: "k-uses" }, K.el("summary", { text: K.t("uses") }), K.el("ul", {}, value.uses.map(use))) : "",
    K.el("div", { class: "k-choices" },
      value.failed > 1 && K.el("button", { class: "k-button", type: "button", text: K.t("retry_all"), onclick: () => order("retry_all") }),
      K.el("button", { class: "k-button", type: "button", text: K.t("rebuild"), onclick: rebuild })));
  if (inside) (open.content.querySelector(`[data-task="${CSS.escape(inside)}"] button`) ?? open.node.querySelector("header button")).focus();
};
K.openQueue = () => {
  if (!K.chat) return;
  open = K.dialog({ name: "queue", title: K.t("queue"), body: [K.el("p", { class: "k-quiet", text: K.t("loading") })], closed: () => { open = null; clearInterval(timer); } });
  clearInterval(timer);
  timer = setInterval(() => { if (!document.hidden) ask(); }, LOOK_MS);
  K.redraw("queue");
  ask();
};
K.surface("queue", { element, props, watch }, (_, value) => {
  if (open && value) fill(value);
});
