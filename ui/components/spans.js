// Rounds of the story that were opened.
let drawn = null;
K.surface("spans", { element, props, watch }, (_, value) => {
  if (!value || value.n === drawn) return;
  drawn = value.n;
  K.takeSpan?.(value);
});
