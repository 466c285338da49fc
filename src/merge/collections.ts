/** Which objects collect things by names that people give, and which lists are values. */
import type { Path } from '../kernel/json.ts'

/** Where lists are values of a user, or their order counts. */
const ordered = new Set<string | number>(['prefixItems', 'example', 'examples', 'default', 'const'])

/** Whether a step is a name that someone gave, such as the status `default`, and no keyword. */
const isName = (path: Path, at: number): boolean => {
  const before = path[at - 1]
  // What is in "components" are keywords that collect.
  if (before === undefined || (before === 'components' && at === 1)) return false
  return (collections.has(before) || typeof before === 'number') && !isName(path, at - 1)
}

export const isOrdered = (path: Path): boolean => path.some((step, at) => ordered.has(step) && !isName(path, at))

/** What collects things by their names: where both sides began one, each added its own things to it. */
const collections = new Set<string | number>(
  (
    'paths webhooks components schemas responses parameters examples requestBodies headers securitySchemes links callbacks ' +
    'pathItems definitions $defs properties patternProperties dependentSchemas securityDefinitions variables content encoding ' +
    'mapping scopes tags servers steps workflows sourceDescriptions outputs'
  ).split(' '),
)

export const isCollection = (path: Path): boolean =>
  // What is below a path are its operations.
  collections.has(path.at(-1) ?? '') || (path.length === 2 && (path[0] === 'paths' || path[0] === 'webhooks'))

/** Collections whose things differ by what they are, so that one of them can get another name. */
const renamed = new Set<string | number>(
  'paths webhooks schemas responses parameters requestBodies headers links pathItems definitions $defs properties'.split(
    ' ',
  ),
)

/** Whether what a place collects can be renamed. */
export const hasNames = (path: Path): boolean => renamed.has(path.at(-1) ?? '') && !isName(path, path.length - 1)
