/** Reads the literals of MDX expressions without running them. */
import type { Expression, Program, Property, SpreadElement } from "estree";

/** A value that can be written down as a literal. */
export type StaticValue =
  | string
  | number
  | boolean
  | null
  | readonly StaticValue[]
  | { readonly [key: string]: StaticValue };

/** Names that `export const name = <literal>` declared. */
export type StaticScope = ReadonlyMap<string, StaticValue>;

/** Thrown inside this module where an expression would have to be run to know its value. */
class DynamicExpression extends Error {}

const maxDepth = 64;

function evaluateProperty(
  property: Property | SpreadElement,
  scope: StaticScope,
  depth: number,
): [string, StaticValue] {
  if (property.type !== "Property" || property.computed || property.kind !== "init")
    throw new DynamicExpression();
  const { key, value } = property;
  if (key.type !== "Identifier" && key.type !== "Literal") throw new DynamicExpression();
  const name = key.type === "Identifier" ? key.name : String(key.value);
  return [name, evaluate(value as Expression, scope, depth)];
}

function evaluateTemplate(
  expression: Extract<Expression, { type: "TemplateLiteral" }>,
  scope: StaticScope,
  depth: number,
): string {
  return expression.quasis
    .map((quasi, index) => {
      const inserted = expression.expressions[index];
      const text = quasi.value.cooked ?? quasi.value.raw;
      return inserted === undefined ? text : text + String(evaluate(inserted, scope, depth));
    })
    .join("");
}

function evaluateUnary(operator: string, operand: StaticValue): StaticValue {
  if (operator === "-" && typeof operand === "number") return -operand;
  if (operator === "+" && typeof operand === "number") return operand;
  if (operator === "!" && typeof operand === "boolean") return !operand;
  throw new DynamicExpression();
}

function evaluateMember(
  expression: Extract<Expression, { type: "MemberExpression" }>,
  scope: StaticScope,
  depth: number,
): StaticValue {
  if (
    expression.object.type === "Super" ||
    expression.computed ||
    expression.property.type !== "Identifier"
  ) {
    throw new DynamicExpression();
  }
  const object = evaluate(expression.object, scope, depth);
  const { name } = expression.property;
  if (object === null || typeof object !== "object" || !Object.hasOwn(object, name))
    throw new DynamicExpression();
  return (object as Readonly<Record<string, StaticValue>>)[name] ?? null;
}

function evaluateName(name: string, scope: StaticScope): StaticValue {
  const value = scope.get(name);
  if (value === undefined) throw new DynamicExpression();
  return value;
}

function evaluateArray(
  expression: Extract<Expression, { type: "ArrayExpression" }>,
  scope: StaticScope,
  depth: number,
): StaticValue[] {
  return expression.elements.map((item) => {
    if (item?.type === "SpreadElement") throw new DynamicExpression();
    return item === null ? null : evaluate(item, scope, depth);
  });
}

function evaluateConcatenation(left: StaticValue, right: StaticValue): StaticValue {
  if (typeof left !== "string" && typeof right !== "string") throw new DynamicExpression();
  return `${String(left)}${String(right)}`;
}

function evaluate(expression: Expression, scope: StaticScope, depth: number): StaticValue {
  if (depth > maxDepth) throw new DynamicExpression();
  switch (expression.type) {
    case "Literal":
      if (typeof expression.value === "bigint" || expression.value instanceof RegExp)
        throw new DynamicExpression();
      return expression.value ?? null;
    case "TemplateLiteral":
      return evaluateTemplate(expression, scope, depth + 1);
    case "ArrayExpression":
      return evaluateArray(expression, scope, depth + 1);
    case "ObjectExpression":
      return Object.fromEntries(
        expression.properties.map((property) => evaluateProperty(property, scope, depth + 1)),
      );
    case "UnaryExpression":
      return evaluateUnary(expression.operator, evaluate(expression.argument, scope, depth + 1));
    case "BinaryExpression":
      if (expression.operator !== "+" || expression.left.type === "PrivateIdentifier")
        throw new DynamicExpression();
      return evaluateConcatenation(
        evaluate(expression.left, scope, depth + 1),
        evaluate(expression.right, scope, depth + 1),
      );
    case "Identifier":
      return evaluateName(expression.name, scope);
    case "MemberExpression":
      return evaluateMember(expression, scope, depth + 1);
    default:
      throw new DynamicExpression();
  }
}

/** The value of an expression made of literals and declared names; `undefined` for anything that would have to run. */
export function evaluateStatically(expression: Expression, scope: StaticScope): StaticValue | undefined {
  try {
    return evaluate(expression, scope, 0);
  } catch (error) {
    if (error instanceof DynamicExpression) return undefined;
    throw error;
  }
}

/** The one expression of an MDX expression's program; `undefined` for a comment or an empty one. */
export function expressionOf(program: Program | null | undefined): Expression | undefined {
  const statement = program?.body[0];
  return statement?.type === "ExpressionStatement" ? statement.expression : undefined;
}
