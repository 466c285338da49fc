import type { Format } from '../../document/document.ts'
import type { Path } from '../../kernel/json.ts'

/**
 * The sections of a document for things that are referred to, by their type in the grammar. What has no section is
 * written where the reference was.
 */
export type Sections = Readonly<Record<string, Path>>

const components = (...names: readonly (readonly [type: string, section: string])[]): Sections =>
  Object.fromEntries(names.map(([type, section]) => [type, ['components', section]]))

const openapi = components(
  ['Schema', 'schemas'],
  ['Parameter', 'parameters'],
  ['Response', 'responses'],
  ['RequestBody', 'requestBodies'],
  ['Header', 'headers'],
  ['Example', 'examples'],
  ['Link', 'links'],
  ['Callback', 'callbacks'],
  ['SecurityScheme', 'securitySchemes'],
)

/** The sections of a format. A path item has none: operations are looked for under their paths. */
export const sectionsOf = ({ kind, version }: Format): Sections => {
  switch (kind) {
    case 'openapi':
      return version === '3.2' ? { ...openapi, MediaType: ['components', 'mediaTypes'] } : openapi
    case 'swagger':
      return { Schema: ['definitions'], Parameter: ['parameters'], Response: ['responses'] }
    case 'arazzo':
      return { Schema: ['components', 'inputs'] }
    case 'json-schema':
      return { Schema: [version.startsWith('draft-0') ? 'definitions' : '$defs'] }
    case 'mcp':
      return {}
  }
}
