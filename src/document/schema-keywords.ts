/** How a keyword holds schemas: one, a list of them, a map of them, or (before 2020-12) one or a list. */
type Holding = 'one' | 'list' | 'map' | 'either'

/** The keywords that hold schemas. */
export const holding: Readonly<Record<string, Holding>> = {
  $defs: 'map',
  definitions: 'map',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  dependencies: 'map',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  items: 'either',
  additionalItems: 'one',
  unevaluatedItems: 'one',
  contains: 'one',
  additionalProperties: 'one',
  unevaluatedProperties: 'one',
  propertyNames: 'one',
  not: 'one',
  if: 'one',
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
  then: 'one',
  else: 'one',
  contentSchema: 'one',
}
