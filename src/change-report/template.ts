import type { ChangeModel } from './model.ts'

/** The three texts of a template. */
export interface TemplateTexts {
  readonly header: string
  readonly body: string
  readonly footnote: string
}

/** Something wrong with a template: where, and what. */
export interface TemplateProblem {
  readonly part: keyof TemplateTexts
  /** Counted from one. */
  readonly line: number
  readonly field: string | null
  readonly message: string
}

type Shape = 'text' | { readonly [field: string]: Shape } | { readonly each: { readonly [field: string]: Shape } }

const change = {
  id: 'text',
  severity: 'text',
  classification: 'text',
  message: 'text',
  operations: 'text',
  consumers: 'text',
  example: 'text',
  undecided: 'text',
  fingerprint: 'text',
} as const

/** What a template may name: the model, field by field. */
export const fields = {
  project: { id: 'text', slug: 'text', name: 'text' },
  from: { revisionId: 'text', label: 'text' },
  to: { revisionId: 'text', label: 'text' },
  initialPublication: 'text',
  headline: 'text',
  conclusion: 'text',
  maxSeverity: 'text',
  counts: { breaking: 'text', nonBreaking: 'text', docsOnly: 'text', total: 'text' },
  breaking: { each: change },
  nonBreaking: { each: change },
  docsOnly: { each: change },
  omitted: 'text',
  brokenConsumers: { each: { handle: 'text', name: 'text', reasons: 'text' } },
} as const satisfies { readonly [K in Exclude<keyof ChangeModel, 'schemaVersion'>]: Shape }

type Node =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'value'; readonly field: string; readonly line: number }
  | {
      readonly kind: 'section'
      readonly field: string
      readonly inverted: boolean
      readonly line: number
      readonly inner: readonly Node[]
    }

interface Open {
  readonly field: string
  readonly inverted: boolean
  readonly line: number
  readonly nodes: Node[]
}

interface Parsed {
  readonly nodes: readonly Node[]
  readonly problems: readonly Omit<TemplateProblem, 'part'>[]
}

const tag = /\{\{([#^/!]?)\s*([^{}]*?)\s*\}\}/g

// A tag that opens or closes and stands alone on its line takes the line with it, as in Mustache.
const withoutLoneTags = (text: string): string =>
  text.replaceAll(/^[ \t]*(\{\{[#^/!][^{}]*\}\})[ \t]*(?:\r?\n|$)/gm, '$1')

const parse = (text: string): Parsed => {
  const problems: Omit<TemplateProblem, 'part'>[] = []
  const root: Node[] = []
  const open: Open[] = []
  const nodes = (): Node[] => open.at(-1)?.nodes ?? root
  // Lines are counted in the text as it was written.
  const written = [...text.matchAll(tag)].map((it) => text.slice(0, it.index).split('\n').length)
  const source = withoutLoneTags(text)
  let at = 0
  let number = 0
  for (const match of source.matchAll(tag)) {
    const [whole, sign, field = ''] = match
    const line = written[number++] ?? 1
    if (match.index > at) nodes().push({ kind: 'words', text: source.slice(at, match.index) })
    at = match.index + whole.length
    if (sign === '!') continue
    if (sign === '#' || sign === '^') open.push({ field, inverted: sign === '^', line, nodes: [] })
    else if (sign === '/') {
      const last = open.pop()
      if (last?.field !== field) {
        problems.push({ line, field, message: `{{/${field}}} closes nothing that is open` })
        if (last) open.push(last)
        continue
      }
      nodes().push({ kind: 'section', field, inverted: last.inverted, line: last.line, inner: last.nodes })
    } else nodes().push({ kind: 'value', field, line })
  }
  if (at < source.length) nodes().push({ kind: 'words', text: source.slice(at) })
  for (const it of open)
    problems.push({
      line: it.line,
      field: it.field,
      message: `{{${it.inverted ? '^' : '#'}${it.field}}} is never closed`,
    })
  return { nodes: root, problems }
}

const shapeAt = (scopes: readonly { readonly [field: string]: Shape }[], path: string): Shape | null => {
  const [first = '', ...rest] = path.split('.')
  for (const scope of scopes) {
    if (!Object.hasOwn(scope, first)) continue
    let shape: Shape | null = scope[first] ?? null
    for (const step of rest) {
      if (shape === null || shape === 'text' || 'each' in shape || !Object.hasOwn(shape, step)) return null
      shape = shape[step] ?? null
    }
    return shape
  }
  return null
}

const check = (
  nodes: readonly Node[],
  scopes: readonly { readonly [field: string]: Shape }[],
  problems: Omit<TemplateProblem, 'part'>[],
): void => {
  for (const node of nodes) {
    if (node.kind === 'words') continue
    const { field, line } = node
    const shape = shapeAt(scopes, field)
    if (shape === null) {
      const known = [...new Set(scopes.flatMap((it) => Object.keys(it)))].join(', ')
      problems.push({ line, field, message: `there is no field "${field}" here; known are ${known}` })
    } else if (node.kind === 'value' && shape !== 'text')
      problems.push({ line, field, message: `"${field}" is no text: open it with {{#${field}}}` })
    if (node.kind !== 'section') continue
    const inner =
      shape !== null && shape !== 'text' ? ('each' in shape ? (shape.each as { [field: string]: Shape }) : shape) : null
    check(node.inner, inner === null ? scopes : [inner, ...scopes], problems)
  }
}

const parts = ['header', 'body', 'footnote'] as const

/** What is wrong with a template; empty where it can be used. */
export const checkTemplate = (texts: TemplateTexts): readonly TemplateProblem[] =>
  parts.flatMap((part) => {
    const { nodes, problems } = parse(texts[part])
    const found = [...problems]
    check(nodes, [fields], found)
    return found.map((it) => ({ part, ...it }))
  })

const valueAt = (scopes: readonly unknown[], path: string): unknown => {
  const [first = '', ...rest] = path.split('.')
  for (const scope of scopes) {
    if (typeof scope !== 'object' || scope === null || !Object.hasOwn(scope, first)) continue
    let value = (scope as Record<string, unknown>)[first]
    for (const step of rest)
      value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined
    return value
  }
  return undefined
}

const isTrue = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : value !== null && value !== undefined && value !== false && value !== '' && value !== 0

// Values come from documents of others: no line breaks out of its place, no markup of theirs is markup of ours.
const wordsOf = (value: unknown): string =>
  (typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value))
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/[<>]/g, (it) => (it === '<' ? '&lt;' : '&gt;'))

const write = (nodes: readonly Node[], scopes: readonly unknown[]): string =>
  nodes
    .map((node) => {
      if (node.kind === 'words') return node.text
      const value = valueAt(scopes, node.field)
      if (node.kind === 'value') return wordsOf(value)
      if (node.inverted) return isTrue(value) ? '' : write(node.inner, scopes)
      if (Array.isArray(value))
        return (value as readonly unknown[]).map((it) => write(node.inner, [it, ...scopes])).join('')
      return isTrue(value) ? write(node.inner, [value, ...scopes]) : ''
    })
    .join('')

/** Fills a template. Fields that it does not know are empty: `checkTemplate` names them before. */
export const renderTemplate = (texts: TemplateTexts, model: ChangeModel): TemplateTexts => {
  const render = (text: string): string =>
    write(parse(text).nodes, [model])
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  return { header: render(texts.header), body: render(texts.body), footnote: render(texts.footnote) }
}

/** The template of those who made none, version 1.0.0. */
export const systemTemplate: TemplateTexts & { readonly id: string; readonly version: string } = {
  id: 'system-1.0.0',
  version: '1.0.0',
  header: '# {{project.name}} {{to.label}}',
  body: `**{{headline}}.** {{conclusion}}

{{#breaking}}
- {{message}} \`{{id}}\`{{#undecided}} (undecided){{/undecided}}
{{#example}}
  - example: \`{{example}}\`
{{/example}}
{{#consumers}}
  - hits {{consumers}}
{{/consumers}}
{{/breaking}}

{{#brokenConsumers}}
- **{{name}}** would break: {{reasons}}
{{/brokenConsumers}}

{{#counts.nonBreaking}}
## Compatible changes

{{/counts.nonBreaking}}
{{#nonBreaking}}
- {{message}} \`{{id}}\`
{{/nonBreaking}}

{{#counts.docsOnly}}
## Documentation

{{/counts.docsOnly}}
{{#docsOnly}}
- {{message}}
{{/docsOnly}}

{{#omitted}}
{{omitted}} more changes are left out here.
{{/omitted}}`,
  footnote: '{{#from}}Compared with {{label}}.{{/from}}{{^from}}Nothing was published before.{{/from}}',
}
