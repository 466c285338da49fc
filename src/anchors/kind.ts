import type { Path } from '../kernel/json.ts'
import { isMethod } from '../kernel/methods.ts'

export const anchorKinds = [
  'document',
  'operation',
  'parameter',
  'request-body',
  'response',
  'header',
  'schema',
  'property',
  'enum-value',
  'security',
  'server',
  'extension',
] as const
export type AnchorKind = (typeof anchorKinds)[number]

// What the entries of a container are; the containers of OpenAPI, Swagger and JSON Schema.
const entries: Readonly<Record<string, AnchorKind>> = {
  parameters: 'parameter',
  responses: 'response',
  headers: 'header',
  requestBodies: 'request-body',
  schemas: 'schema',
  definitions: 'schema',
  $defs: 'schema',
  properties: 'property',
  patternProperties: 'property',
  enum: 'enum-value',
  security: 'security',
  securitySchemes: 'security',
  securityDefinitions: 'security',
  servers: 'server',
  allOf: 'schema',
  anyOf: 'schema',
  oneOf: 'schema',
  prefixItems: 'schema',
}
// What a member of this name is by itself.
const members: Readonly<Record<string, AnchorKind>> = {
  requestBody: 'request-body',
  schema: 'schema',
  items: 'schema',
  additionalProperties: 'schema',
  not: 'schema',
}
// Below these is data that only looks like a description.
const data: ReadonlySet<unknown> = new Set(['example', 'examples', 'default', 'const'])

/** What a path of an API description leads to: the innermost thing of a known kind. */
export function kindOf(path: Path): AnchorKind {
  let kind: AnchorKind = 'document'
  for (let at = 0; at < path.length; at++) {
    const step = path[at]
    const name = String(step)
    const container = at > 0 ? String(path[at - 1]) : ''
    const isEntry = Object.hasOwn(entries, container) && !isNamed(path, at - 1)
    if (isEntry) kind = entries[container] as AnchorKind
    else if (isNamed(path, at)) continue
    else if (typeof step === 'string' && name.startsWith('x-')) return 'extension'
    else if (data.has(step)) return kind
    else if (at === 2 && path[0] === 'paths' && isMethod(name)) kind = 'operation'
    else if (at === 1 && path[0] === 'paths') kind = 'operation'
    else if (Object.hasOwn(members, name)) kind = members[name] as AnchorKind
  }
  return kind
}

// A step that is a name which an author chose, such as a property called "parameters".
function isNamed(path: Path, at: number): boolean {
  const container = at > 0 ? path[at - 1] : undefined
  const isMap = typeof container === 'string' && Object.hasOwn(entries, container)
  return isMap && !isNamed(path, at - 1)
}
