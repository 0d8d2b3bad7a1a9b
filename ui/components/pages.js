K.surface("pages", { element, props, watch }, (root, value) => {
  if (value) K.pages?.(value);
});
