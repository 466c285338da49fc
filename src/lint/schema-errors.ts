import type { Json, Path } from '../kernel/json.ts'
import { getPath } from '../kernel/pointer.ts'
import type { ValidationError } from '../schema/validate.ts'
import { suggest } from '../kernel/suggest.ts'

/** A violated schema in words that name the place. */
export interface Described {
  readonly message: string
  /** Relative to the value that was checked. */
  readonly path: Path
}

interface Group {
  readonly path: Path
  errors: ValidationError[]
  readonly children: Map<string, Group>
}

const newGroup = (path: Path): Group => ({ path, errors: [], children: new Map() })

/** The errors as a tree of the instance. */
function grouped(errors: readonly ValidationError[]): Group {
  const root = newGroup([])
  for (const error of errors) {
    let at = root
    for (const [index, step] of error.path.entries()) {
      let next = at.children.get(String(step))
      if (next === undefined) at.children.set(String(step), (next = newGroup(error.path.slice(0, index + 1))))
      at = next
    }
    at.errors.push(error)
  }
  return root
}

/** Where no branch of an anyOf holds and something deeper says why, only that is worth saying. */
function prune(group: Group): void {
  if (group.children.size > 0 && group.errors.some((it) => it.keyword === 'anyOf')) group.errors = []
  const children = [...group.children.entries()]
  for (const [key, child] of children) {
    const onlyEnums = child.errors.length > 0 && child.errors.every((it) => it.keyword === 'enum')
    if (onlyEnums && group.children.size > 1) group.children.delete(key)
    else prune(child)
  }
}

const printed = (value: Json): string => (typeof value === 'string' ? `"${value}"` : JSON.stringify(value))

// Spectral's validator counts in the plural, "more than 1 items", too.
const clean = (message: string): string =>
  message
    .replaceAll(/['"]/g, '"')
    .replaceAll('NOT', 'not')
    .replace(/\bthan 1 (item|character)$/, 'than 1 $1s')
    .replace(/\bthan 1 property$/, 'than 1 properties')

function describeEnum(errors: readonly ValidationError[], subject: string, value: Json | undefined): string {
  const allowed = new Set(errors.flatMap((it) => (it.params.allowedValues ?? []) as readonly Json[]))
  const texts = [...allowed].filter((it) => typeof it === 'string')
  const near = typeof value !== 'string' ? null : texts.length === 1 ? (texts[0] ?? null) : suggest(value, texts)
  const said = `${subject} must be equal to one of the allowed values: ${[...allowed].map(printed).join(', ')}`
  return near === null ? said : `${said}. Did you mean "${near}"?`
}

function describe(error: ValidationError, name: string | null, value: Json | undefined): string {
  const { keyword, message, params } = error
  if (keyword === 'additionalProperties')
    return `Property "${String(params.additionalProperty)}" is not expected to be here`
  if (keyword === 'type') return `${name === null ? 'Value' : `"${name}" property`} type ${clean(message)}`
  if ((keyword === 'oneOf' || keyword === 'anyOf') && !Array.isArray(params.passingSchemas))
    return `${subjectOf(name, value)} ${clean(message)}. None of the schemas matched, see the other errors reported for this value`
  return `${subjectOf(name, value)} ${clean(message)}`
}

function subjectOf(name: string | null, value: Json | undefined): string {
  if (name !== null) return `"${name}" property`
  const type = typeof value
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}`
}

function* flatten(group: Group, value: Json, base: Path): Generator<Described> {
  const { path, errors } = group
  const last = path.at(-1) ?? base.at(-1)
  const name = last === undefined ? null : String(last)
  const at = path.length === 0 ? value : getPath(value, path)
  const numbered = (text: string) =>
    path.length > 0 && /^\d+$/.test(name ?? '') ? text.replace(`"${name}" property`, `Item at index ${name}`) : text
  if (errors.length > 0 && errors.every((it) => it.keyword === 'enum'))
    return yield { message: numbered(describeEnum(errors, subjectOf(name, at), at)), path }
  for (const error of errors) yield { message: numbered(describe(error, name, at)), path }
  for (const child of group.children.values()) yield* flatten(child, value, base)
}

/** Says what is wrong with a value, in as few sentences as explain it. `base` is the path of the value. */
export function describeErrors(errors: readonly ValidationError[], value: Json, base: Path): readonly Described[] {
  if (errors.length === 0) return []
  const root = grouped(errors)
  prune(root)
  const seen = new Set<string>()
  return [...flatten(root, value, base)].filter(({ message, path }) => {
    const key = `${path.join('\n')}\n${message}`
    return !seen.has(key) && seen.add(key)
  })
}
