/** Runtime expressions of Arazzo: the grammar of 1.1.0, section "Runtime Expressions", which has all of 1.0.1. */
import { parsePointer } from '../kernel/pointer.ts'

/** A part of a message that has a name. */
export interface NamedPart {
  readonly kind: 'request' | 'response' | 'message'
  readonly part: 'header' | 'query' | 'path'
  readonly name: string
}

/** The content of a message, or a place in it. */
export interface ContentPart {
  readonly kind: 'request' | 'response' | 'message'
  readonly part: 'body' | 'payload'
  readonly pointer: Steps
}

/** What an expression names. */
export type Expression =
  | { readonly kind: 'url' | 'method' | 'statusCode' | 'self' }
  | NamedPart
  | ContentPart
  | { readonly kind: 'inputs' | 'outputs'; readonly name: string; readonly pointer: Steps }
  | { readonly kind: 'steps'; readonly step: string; readonly output: string; readonly pointer: Steps }
  | {
      readonly kind: 'workflows'
      readonly workflow: string
      readonly field: 'inputs' | 'outputs'
      readonly name: string
      readonly pointer: Steps
    }
  | { readonly kind: 'sourceDescriptions'; readonly source: string; readonly reference: string }
  | { readonly kind: 'components'; readonly type: string; readonly name: string }

/** The names and indexes that lead to a place in a value. */
export type Steps = readonly string[]

const fixed: Readonly<Record<string, Expression>> = {
  $url: { kind: 'url' },
  $method: { kind: 'method' },
  $statusCode: { kind: 'statusCode' },
  $self: { kind: 'self' },
}

const strict = '[A-Za-z0-9_-]+'
const identifier = '[A-Za-z0-9._-]+'
// Unescaped characters without braces, or an escape of JSON.
const char = String.raw`(?:[\x20\x21\x23-\x5b\x5d-\x7a\x7c\x7e-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))`
const pointer = '(?:#((?:/[^{}]*)?))?'

const forms = {
  message: /^\$(request|response|message)\.(?=header\.|query\.|path\.|body|payload)/,
  header: /^header\.([!#$%&'*+.^_`|~0-9A-Za-z-]+)$/,
  named: new RegExp(`^(query|path)\\.(${char}*)$`, 'u'),
  content: new RegExp(`^(body|payload)((?:\\.[A-Za-z_][A-Za-z0-9_-]*|\\[[0-9]+\\])*)${pointer}$`, 'u'),
  own: new RegExp(`^\\$(inputs|outputs)\\.(${identifier})${pointer}$`, 'u'),
  steps: new RegExp(`^\\$steps\\.(${strict})\\.outputs\\.(${identifier})${pointer}$`, 'u'),
  workflows: new RegExp(`^\\$workflows\\.(${strict})\\.(inputs|outputs)\\.(${identifier})${pointer}$`, 'u'),
  sources: new RegExp(`^\\$sourceDescriptions\\.(${strict})\\.(${char}+)$`, 'u'),
  components: new RegExp(`^\\$components\\.(inputs|parameters|successActions|failureActions)\\.(${identifier})$`),
}

/** The steps of a pointer; null where an escape of it is none. */
const stepsOf = (text: string | undefined): Steps | null => (text === undefined ? [] : parsePointer(text))

// "body.items[0]": the examples of the specification dereference contents with the operators of simple conditions.
const accessOf = (text: string): string[] =>
  [...text.matchAll(/\.([^.[]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? '')

function readMessage(kind: NamedPart['kind'], rest: string): Expression | null {
  const header = forms.header.exec(rest)?.[1]
  if (header !== undefined) return { kind, part: 'header', name: header }
  const [, part, name = ''] = forms.named.exec(rest) ?? []
  if (part === 'query' || part === 'path') return { kind, part, name }
  const [, content, access = '', tail] = forms.content.exec(rest) ?? []
  const steps = stepsOf(tail)
  return (content === 'body' || content === 'payload') && steps !== null
    ? { kind, part: content, pointer: [...accessOf(access), ...steps] }
    : null
}

function readNamed(text: string): Expression | null {
  const [, own, name = '', behind] = forms.own.exec(text) ?? []
  const ofOwn = stepsOf(behind)
  if ((own === 'inputs' || own === 'outputs') && ofOwn !== null) return { kind: own, name, pointer: ofOwn }
  const [, step, output = '', behindStep] = forms.steps.exec(text) ?? []
  const ofStep = stepsOf(behindStep)
  if (step !== undefined && ofStep !== null) return { kind: 'steps', step, output, pointer: ofStep }
  const [, workflow, field, value = '', behindWorkflow] = forms.workflows.exec(text) ?? []
  const ofWorkflow = stepsOf(behindWorkflow)
  return workflow !== undefined && (field === 'inputs' || field === 'outputs') && ofWorkflow !== null
    ? { kind: 'workflows', workflow, field, name: value, pointer: ofWorkflow }
    : null
}

/**
 * Reads one runtime expression.
 * @param text the expression without braces, as "$response.body#/id"
 * @returns what it names; null for a text that is no expression
 */
export function parseExpression(text: string): Expression | null {
  if (!text.startsWith('$')) return null
  const known = Object.hasOwn(fixed, text) ? fixed[text] : undefined
  if (known !== undefined) return known
  const [start = '', kind] = forms.message.exec(text) ?? []
  if (kind === 'request' || kind === 'response' || kind === 'message')
    return readMessage(kind, text.slice(start.length))
  const [, source, reference = ''] = forms.sources.exec(text) ?? []
  if (source !== undefined) return { kind: 'sourceDescriptions', source, reference }
  const [, type, name = ''] = forms.components.exec(text) ?? []
  return type === undefined ? readNamed(text) : { kind: 'components', type, name }
}

/** A piece of a text: characters as they are, or an expression that was between braces. */
export type Piece =
  | { readonly literal: string }
  | { readonly literal?: never; readonly text: string; readonly expression: Expression }

/**
 * Divides a text into its literals and the expressions that are embedded in it: "Bearer {$inputs.token}".
 * Braces around anything that is no expression stay as they are: JSON and regular expressions have braces too.
 */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const found of text.matchAll(/\{(\$[^{}]*)\}/g)) {
    const [whole, inner = ''] = found
    const expression = parseExpression(inner)
    if (expression === null) continue
    if (found.index > from) pieces.push({ literal: text.slice(from, found.index) })
    pieces.push({ text: inner, expression })
    from = found.index + whole.length
  }
  if (from < text.length) pieces.push({ literal: text.slice(from) })
  return pieces
}
