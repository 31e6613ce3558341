import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["**/node_modules/**"] },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Nothing that comes from data may become markup: text only.
      "no-restricted-properties": [
        "error",
        { property: "innerHTML", message: "Use textContent." },
        { property: "outerHTML", message: "Use textContent." },
        { property: "insertAdjacentHTML", message: "Use textContent." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.property.name='html']",
          message: "d3's .html() writes markup: use .text().",
        },
        {
          selector: "CallExpression[callee.property.name='attr'][arguments.0.value='style']",
          message: "The content security policy blocks style attributes: use .style().",
        },
      ],
      eqeqeq: "error",
    },
  },
  {
    // Tests read markup, and set up the page from its own file.
    files: ["**/tests/**"],
    rules: { "no-restricted-properties": "off" },
  },
);
