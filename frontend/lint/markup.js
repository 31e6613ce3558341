// Nothing that comes from data may become markup, and no style may stand in an attribute: what
// oxlint's own rules cannot say.

const called = (node) => node.callee.type === "MemberExpression" && node.callee.property.name;

const rule = (message, found) => ({
  create: (context) => ({
    CallExpression(node) {
      if (found(node)) context.report({ node, message });
    },
  }),
});

export default {
  meta: { name: "markup" },
  rules: {
    "no-d3-html": rule(
      "d3's .html() writes markup: use .text().",
      (node) => called(node) === "html",
    ),
    "no-style-attribute": rule(
      "The content security policy blocks style attributes: use .style().",
      (node) => called(node) === "attr" && node.arguments[0]?.value === "style",
    ),
  },
};
