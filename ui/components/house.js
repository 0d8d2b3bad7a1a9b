K.surface("house", { element, props, watch }, (root, value) => {
  if (!value) return;
  K.house = value;
  K.redraw(...[...K.redraws.keys()].filter((name) => name !== "house"));
});
