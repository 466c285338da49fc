import { either, flag, type Grammar, list, map, node, type NodeShape, text, unique } from './grammar.ts'
import { schema2020, schema30 } from './schema-nodes.ts'

const full = either(node('Schema'), flag)
const open: NodeShape = { fields: {}, open: true }

// Words that belong to OpenAPI and may mean anything in a plain JSON Schema.
const foreign = new Set(['xml', 'externalDocs', 'discriminator', 'example'])

const grammar = (title: string, fields: NodeShape['fields']): Grammar => ({
  title,
  root: 'Schema',
  nodes: {
    Schema: { open: true, fields: Object.fromEntries(Object.entries(fields).filter(([key]) => !foreign.has(key))) },
    ExternalDocs: open,
    Xml: open,
    Discriminator: open,
  },
})

// Before 2020-12 "items" also held lists, and "dependencies" held both kinds of dependencies.
const earlier = {
  ...schema2020.fields,
  $id: text,
  items: either(full, list(full)),
  additionalItems: full,
  dependencies: map(either(full, list(text))),
}

/** JSON Schema 2020-12. */
export const jsonSchema2020: Grammar = grammar('JSON Schema 2020-12', schema2020.fields)

/** JSON Schema draft 6, draft 7 and 2019-09, as far as their structures agree. */
export const jsonSchema07: Grammar = grammar('JSON Schema', earlier)

/** JSON Schema draft 4: exclusive bounds are flags. */
export const jsonSchema04: Grammar = grammar('JSON Schema draft 4', {
  ...earlier,
  id: text,
  exclusiveMinimum: schema30.fields.exclusiveMinimum ?? flag,
  exclusiveMaximum: schema30.fields.exclusiveMaximum ?? flag,
  required: either(unique(text), flag),
})
