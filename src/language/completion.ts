/** What may be typed at a place: properties, values, references, and names of rules. */
import type { Document } from '../document/document.ts'
import { detectFormat } from '../document/format.ts'
import { isObject, type Json, type Path } from '../kernel/json.ts'
import { formatFragment } from '../kernel/pointer.ts'
import type { Grammar, Shape } from '../document/validate/grammar.ts'
import { fieldOf, grammarOf } from '../document/validate/structure.ts'
import { coreFunctions } from '../lint/core-functions.ts'
import { formatNames } from '../lint/formats.ts'
import { rules as builtinRules } from '../lint/rules.gen.ts'
import { builtinRulesets } from '../lint/rulesets/builtin.ts'
import { componentsOf } from './component.ts'
import { typingAt, type Typing, type View } from './typing.ts'
import { typeScheme } from '../kernel/type-ref.ts'
import { operationPaths } from './uses.ts'

/** One proposal. */
export interface Proposal {
  readonly label: string
  readonly kind: 'property' | 'value' | 'reference' | 'rule'
  readonly detail: string
  /** What is put in place of what is typed. */
  readonly text: string
}

export interface Completion {
  readonly start: number
  readonly end: number
  readonly proposals: readonly Proposal[]
}

/** What completion knows beside the text. */
export interface CompletionAround {
  readonly syntax: 'json' | 'yaml'
  /** The text is a ruleset. */
  readonly isRuleset: boolean
  /** Other documents, as references from this one name them. */
  readonly others: Readonly<Record<string, Document>>
  /** Registered types. */
  readonly types?: readonly { readonly ref: string; readonly description: string }[]
}

type NodeKind = Shape & { readonly kind: 'node' }

const statusCodes = ['200', '201', '202', '204', '400', '401', '403', '404', '409', '422', '429', '500', 'default']
const ruleFields = 'description message severity given then formats recommended resolved type documentationUrl'.split(
  ' ',
)
const rulesetFields = 'extends rules aliases overrides formats functions functionsDir documentationUrl'.split(' ')
const severityWords = ['error', 'warn', 'info', 'hint', 'off']

const proposal = (kind: Proposal['kind'], label: string, detail = ''): Proposal => ({
  label,
  kind,
  detail,
  text: label,
})

function grammarIn(view: View): Grammar | null {
  const root = Object.fromEntries(
    ['openapi', 'swagger', 'arazzo', '$schema'].flatMap((key) => {
      const text = view.textAt([key])
      return text === '' ? [] : [[key, text]]
    }),
  )
  const keys = Object.fromEntries(view.keysAt([]).map((key) => [key, {}]))
  const format = detectFormat({ ...keys, ...root })
  return format === null ? null : grammarOf(format)
}

/** The shape of what a shape means where the text has an object, a list or a scalar. */
function narrowed(shape: Shape, kind: ReturnType<View['kindAt']>): readonly Shape[] {
  if (shape.kind !== 'either') return [shape]
  const fitting = shape.shapes.filter((it) => {
    if (kind === 'map') return it.kind === 'node' || it.kind === 'map'
    return kind === 'list' ? it.kind === 'list' : true
  })
  return fitting.flatMap((it) => narrowed(it, kind))
}

/** The shapes that a grammar has at a path. */
function shapesAt(grammar: Grammar, view: View, path: Path): readonly Shape[] {
  let shapes: readonly Shape[] = [{ kind: 'node', name: grammar.root, reference: false }]
  for (const [index, step] of path.entries()) {
    const kind = view.kindAt(path.slice(0, index))
    shapes = shapes
      .flatMap((shape) => narrowed(shape, kind))
      .flatMap((shape): readonly Shape[] => {
        if (shape.kind === 'map') return [shape.value]
        if (shape.kind === 'list') return [shape.item]
        const type = shape.kind === 'node' ? grammar.nodes[shape.name] : undefined
        const field = type === undefined ? null : fieldOf(type, String(step))
        return field === null ? [] : [field]
      })
  }
  return shapes.flatMap((it) => narrowed(it, view.kindAt(path)))
}

const shapeName = (shape: Shape): string => {
  if (shape.kind === 'node') return shape.name
  return shape.kind === 'text' && shape.values !== undefined ? shape.values.join(' | ') : shape.kind
}

function properties(shape: Shape, grammar: Grammar): Proposal[] {
  if (shape.kind !== 'node') return []
  const type = grammar.nodes[shape.name]
  if (type === undefined) return []
  const required = new Set(type.required)
  const fields = Object.entries(type.fields).map(([key, it]) =>
    proposal('property', key, `${shapeName(it)}${required.has(key) ? ', required' : ''}`),
  )
  const codes = shape.name === 'Responses' ? statusCodes.filter((it) => fieldOf(type, it) !== null) : []
  const own = new Set(fields.map(({ label }) => label))
  return [
    ...fields,
    ...codes.filter((it) => !own.has(it)).map((it) => proposal('property', it, 'Response')),
    ...(shape.reference && !own.has('$ref') ? [proposal('property', '$ref', 'a reference')] : []),
  ]
}

function values(shape: Shape): Proposal[] {
  if (shape.kind === 'boolean') return ['true', 'false'].map((it) => proposal('value', it))
  return shape.kind === 'text' && shape.values !== undefined ? shape.values.map((it) => proposal('value', it)) : []
}

/** The kinds of definitions that hold a type of node, by the grammar itself. */
function kindsOf(grammar: Grammar, shapes: readonly Shape[]): ReadonlySet<string> | null {
  const wanted = new Set(shapes.filter((it): it is NodeKind => it.kind === 'node').map(({ name }) => name))
  const holds = (shape: Shape): boolean => {
    if (shape.kind === 'node') return wanted.has(shape.name)
    return shape.kind === 'either' ? shape.shapes.some(holds) : shape.kind === 'map' && holds(shape.value)
  }
  const holder = grammar.nodes.Components ?? grammar.nodes[grammar.root]
  const kinds = Object.entries(holder?.fields ?? {}).filter(([, shape]) => shape.kind === 'map' && holds(shape))
  return wanted.size === 0 || kinds.length === 0 ? null : new Set(kinds.map(([kind]) => kind))
}

function localPointers(view: View): { readonly path: Path; readonly kind: string }[] {
  const below = (path: Path): { readonly path: Path; readonly kind: string }[] =>
    view.keysAt(path).map((name) => ({ path: [...path, name], kind: String(path.at(-1)) }))
  const roots = ['$defs', 'definitions', 'parameters', 'responses'].flatMap((key) => below([key]))
  return [...view.keysAt(['components']).flatMap((kind) => below(['components', kind])), ...roots]
}

function references(
  { view, path, typed }: Typing,
  grammar: Grammar | null,
  { others, types = [] }: Pick<CompletionAround, 'others' | 'types'>,
): Proposal[] {
  const holder = path.slice(0, -1)
  const kinds = grammar === null ? null : kindsOf(grammar, shapesAt(grammar, view, holder))
  const fits = ({ kind }: { readonly kind: string }): boolean => kinds === null || kinds.has(kind)
  const [file = ''] = typed.split('#')
  const other = Object.hasOwn(others, file) ? others[file] : undefined
  if (other !== undefined && typed.includes('#')) {
    const named = componentsOf(other.value).filter(fits)
    // A file of definitions alone has them at its top.
    const top =
      isObject(other.value) && other.format === null ? Object.keys(other.value).map((name) => ({ path: [name] })) : []
    return [...named, ...top].map((it) => proposal('reference', file + formatFragment(it.path), file))
  }
  const local = localPointers(view)
    .filter((it) => fits(it) && it.path.join('\n') !== holder.join('\n'))
    .map((it) => proposal('reference', formatFragment(it.path)))
  const files = Object.entries(others).flatMap(([name, { value }]) => [
    ...(isPart(value) ? [proposal('reference', name, 'a file')] : []),
    proposal('reference', `${name}#`, 'a part of a file'),
  ])
  const named = schemaKinds.some((kind) => fits({ kind }))
    ? types.map(({ ref, description }) => proposal('reference', ref, description))
    : []
  return typed.startsWith(typeScheme) ? named : [...local, ...files, ...named]
}

// What a file has at its top that is a schema, a path item or a response itself: it is referred to as a whole.
const partWords =
  'type properties allOf anyOf oneOf enum const items get put post delete patch schema content description'.split(' ')
const isPart = (value: Json): boolean =>
  isObject(value) && value.openapi === undefined && partWords.some((word) => Object.hasOwn(value, word))

const schemaKinds = ['schemas', 'definitions', '$defs'] as const

const isSwagger = (view: View): boolean => view.textAt(['swagger']) !== ''

/** Names that the document itself declares, where such a name belongs. */
function names({ view, path }: Typing, { others }: CompletionAround): Proposal[] {
  const [key, holder, above] = [path.at(-1), path.at(-2), path.at(-3)]
  if (holder === 'tags' && typeof key === 'number' && path.length > 2)
    return Array.from({ length: view.countAt(['tags']) }, (_, index) => view.textAt(['tags', index, 'name']))
      .filter((it) => it !== '')
      .map((it) => proposal('value', it, 'a tag'))
  if (above === 'security' || (holder === 'security' && typeof key === 'number')) {
    const schemes = isSwagger(view) ? ['securityDefinitions'] : ['components', 'securitySchemes']
    return view.keysAt(schemes).map((it) => proposal('property', it, 'a security scheme'))
  }
  if (holder === 'required' && typeof key === 'number')
    return view.keysAt([...path.slice(0, -2), 'properties']).map((it) => proposal('value', it, 'a property'))
  if (key === 'operationId' && (above === 'steps' || above === 'links'))
    return Object.values(others).flatMap((it) =>
      [...operationPaths(it).keys()].map((id) => proposal('value', id, it.source)),
    )
  return []
}

function ofRuleset({ path, isKey }: Typing): Proposal[] {
  const [first, second, third] = path
  if (isKey && path.length === 1) return rulesetFields.map((it) => proposal('property', it))
  if (first === 'extends')
    return Object.keys(builtinRulesets).map((it) => proposal('value', it, 'a builtin style guide'))
  if (first === 'formats' || third === 'formats') return [...formatNames].map((it) => proposal('value', it, 'a format'))
  if (first !== 'rules') return []
  if (path.length === 2 && isKey)
    return Object.entries(builtinRules).map(([id, rule]) => proposal('rule', id, rule.description ?? ''))
  if ((path.length === 2 && typeof second === 'string') || third === 'severity')
    return severityWords.map((it) => proposal('value', it))
  if (path.length === 3 && isKey) return ruleFields.map((it) => proposal('property', it))
  if (path.at(-1) === 'function') return Object.keys(coreFunctions).map((it) => proposal('value', it, 'a function'))
  if (third === 'then' && isKey) return ['field', 'function', 'functionOptions'].map((it) => proposal('property', it))
  return []
}

function proposals(typing: Typing, around: CompletionAround): Proposal[] {
  const { view, path, isKey } = typing
  if (around.isRuleset) return ofRuleset(typing)
  const grammar = grammarIn(view)
  const declared = names(typing, around)
  if (declared.length > 0) return declared
  if (!isKey && (path.at(-1) === '$ref' || path.at(-1) === '$dynamicRef')) return references(typing, grammar, around)
  if (grammar === null) return []
  if (!isKey) return shapesAt(grammar, view, path).flatMap(values)
  return shapesAt(grammar, view, path.slice(0, -1)).flatMap((shape) => properties(shape, grammar))
}

// Plain only where YAML reads the text as it is.
const isPlain = (text: string): boolean => /^[A-Za-z_$/][\w$./-]*$/.test(text) || /^(?:true|false)$/.test(text)

function written(
  { label, kind, text, detail }: Proposal,
  { quote, isKey, hasColon }: Typing,
  syntax: 'json' | 'yaml',
): Proposal {
  const isWord = syntax === 'json' && !isKey && /^(?:true|false)$/.test(text)
  const mark = syntax === 'json' ? '"' : "'"
  const needsQuotes = quote === '' && (syntax === 'json' ? !isWord : !isPlain(text))
  const word = needsQuotes ? `${mark}${text}${mark}` : text
  // Behind an open quote the rest is for the editor, which closes it.
  const colon = isKey && !hasColon && quote === '' ? ': ' : ''
  return { label, kind, detail, text: word + colon }
}

/**
 * What may be typed at an offset of a text, which need not be readable yet.
 * @returns no more than is allowed there; keys that the object has already are left out
 */
export function complete(text: string, offset: number, around: CompletionAround): Completion | null {
  const typing = typingAt(text, offset, around.syntax)
  if (typing === null) return null
  const present = typing.isKey ? new Set(typing.view.keysAt(typing.path.slice(0, -1))) : new Set<string>()
  const seen = new Set<string>()
  const found = proposals(typing, around).filter(
    ({ label }) => !present.has(label) && !seen.has(label) && Boolean(seen.add(label)),
  )
  return {
    start: typing.start,
    end: typing.end,
    proposals: found.map((it) => written(it, typing, around.syntax)),
  }
}
