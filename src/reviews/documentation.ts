/** What of a document is documentation alone: what people read, and no gateway, generator or server acts on. */
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'

/** Keywords that only people read. A title is not one of them: generators name types by it; nor is an example: mock servers answer it. */
const documentationWords: ReadonlySet<string> = new Set(['description', 'summary', 'externalDocs', '$comment'])

/** Keywords whose members are called as the author likes: a property may be called "description". */
const nameMaps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
  'responses',
  'parameters',
  'headers',
  'links',
  'callbacks',
  'requestBodies',
  'securitySchemes',
  'securityDefinitions',
  'pathItems',
  'paths',
  'webhooks',
  'content',
  'encoding',
  'variables',
])

/** Keywords whose values are data: every difference in them counts. */
const dataWords: ReadonlySet<string> = new Set([
  'default',
  'const',
  'enum',
  'example',
  'examples',
  'mapping',
  'scopes',
  'security',
  'required',
  'dependentRequired',
])

const isExtension = (key: string): boolean => key.startsWith('x-')

type Position = 'keywords' | 'names' | 'data'

function positionOf(key: string, position: Position): Position {
  if (position !== 'keywords') return position === 'data' ? 'data' : 'keywords'
  if (dataWords.has(key) || isExtension(key)) return 'data'
  return nameMaps.has(key) ? 'names' : 'keywords'
}

function isAlike(before: Json | undefined, after: Json | undefined, position: Position): boolean {
  if (Array.isArray(before) && Array.isArray(after)) {
    const others = after as readonly Json[]
    const inside = position === 'names' ? 'keywords' : position
    return before.length === others.length && before.every((it: Json, index) => isAlike(it, others[index], inside))
  }
  if (!isObject(before) || !isObject(after)) return before === after
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every(
    (key) =>
      (position === 'keywords' && documentationWords.has(key)) ||
      isAlike(memberOf(before, key), memberOf(after, key), positionOf(key, position)),
  )
}

const memberOf = (value: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined

/** The extensions of a document by where they are, as text. */
function extensionsIn(value: Json, at: string, position: Position, found: Map<string, string>): Map<string, string> {
  if (Array.isArray(value)) {
    const inside = position === 'names' ? 'keywords' : position
    for (const [index, it] of (value as readonly Json[]).entries()) extensionsIn(it, `${at}/${index}`, inside, found)
    return found
  }
  if (!isObject(value) || position === 'data') return found
  for (const [key, it] of Object.entries(value)) {
    const place = JSON.stringify([at, key])
    if (position === 'keywords' && isExtension(key)) found.set(place, JSON.stringify(it))
    else extensionsIn(it, place, positionOf(key, position), found)
  }
  return found
}

/** How two documents differ, for the question whether an approval of one is of the other. */
export interface Distance {
  /** Whether they differ in nothing but documentation. */
  readonly isDocumentationOnly: boolean
  /** Whether they have the same extensions: what reads those is unknown, so that a change of one is undecided. */
  readonly hasSameExtensions: boolean
}

/**
 * Compares documents for reviews. It says no where it cannot know.
 * @param before the value of the document that was approved
 * @param after the value of the document that is there now
 */
export function distanceBetween(before: Json, after: Json): Distance {
  const [one, other] = [before, after].map((it) => extensionsIn(it, '', 'keywords', new Map()))
  return {
    isDocumentationOnly: isAlike(before, after, 'keywords'),
    hasSameExtensions:
      one !== undefined && one.size === other?.size && [...one].every(([place, text]) => other.get(place) === text),
  }
}
