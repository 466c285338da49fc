import { escapeSentence, visible } from '../report/escape.ts'
import { suggest } from '../kernel/suggest.ts'
import type { ChangeModel } from './model.ts'
import { parseTemplate, type SyntaxProblem, type TemplateNode } from './template-syntax.ts'

/** The three texts of a template. */
export interface TemplateTexts {
  readonly header: string
  readonly body: string
  readonly footnote: string
}

/** Something wrong with a template: in which of its texts and where there, counted from one, and what. */
export interface TemplateProblem extends SyntaxProblem {
  readonly part: keyof TemplateTexts
}

type Shape = 'text' | { readonly [field: string]: Shape } | { readonly each: { readonly [field: string]: Shape } }

const change = {
  id: 'text',
  severity: 'text',
  classification: 'text',
  message: 'text',
  direction: 'text',
  operation: 'text',
  heading: 'text',
  repeats: 'text',
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

type Scope = { readonly [field: string]: Shape }

/** The position of a tag, for messages. */
interface TemplateScope {
  /** The fields that can be named, the nearest first. */
  readonly scopes: readonly Scope[]
  readonly depth: number
  /** The list that is gone through around it. */
  readonly list: string | null
}

const deepest = 20

const enter = (shape: Shape | null, field: string, { scopes, depth, list }: TemplateScope): TemplateScope => {
  if (shape === null || shape === 'text') return { scopes, depth: depth + 1, list }
  if (!('each' in shape)) return { scopes: [shape, ...scopes], depth: depth + 1, list }
  return { scopes: [shape.each as Scope, ...scopes], depth: depth + 1, list: field }
}

const check = (nodes: readonly TemplateNode[], around: TemplateScope, problems: SyntaxProblem[]): void => {
  for (const node of nodes) {
    if (node.kind === 'words') continue
    const { field, line, column } = node
    const tell = (message: string) => problems.push({ line, column, field, message })
    const shape = shapeAt(around.scopes, field)
    const isList = shape !== null && shape !== 'text' && 'each' in shape
    if (shape === null) {
      const known = [...new Set(around.scopes.flatMap((it) => Object.keys(it)))]
      const near = suggest(field, known)
      const hint = near === null ? `use one of ${known.join(', ')}` : `did you mean "${near}"?`
      tell(`unknown field "${field}"; ${hint}`)
    } else if (node.kind === 'value' && shape !== 'text') tell(`"${field}" is not a string; open it with {{#${field}}}`)
    if (node.kind !== 'section') continue
    if (around.depth >= deepest) tell(`{{#${field}}} is nested deeper than ${deepest} sections`)
    else {
      // Every pair of entries would be written, and every triple with one list more.
      if (isList && !node.inverted && around.list !== null)
        tell(`the list "${field}" cannot be used within the list "${around.list}"`)
      check(node.inner, node.inverted ? enter(null, field, around) : enter(shape, field, around), problems)
    }
  }
}

const parts = ['header', 'body', 'footnote'] as const

/** What is wrong with a template; empty where it can be used. */
export const checkTemplate = (texts: TemplateTexts): readonly TemplateProblem[] =>
  parts.flatMap((part) => {
    const { nodes, problems } = parseTemplate(texts[part])
    const found = [...problems]
    check(nodes, { scopes: [fields], depth: 0, list: null }, found)
    return found.sort((a, b) => a.line - b.line || a.column - b.column).map((it) => ({ part, ...it }))
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

// These values are sentences with names in code spans. The template puts all others into code spans itself.
const sentences = new Set([
  'message',
  'reasons',
  'name',
  'headline',
  'conclusion',
  'label',
  'operation',
  'heading',
  'operations',
  'consumers',
])

// Values come from documents of others: no line breaks out of its place, no markup of theirs is markup of ours.
const wordsOf = (value: unknown, field: string): string => {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  if (sentences.has(field)) return escapeSentence(text)
  return visible(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[<>`]/g, (it) => {
      if (it === '<') return '&lt;'
      return it === '>' ? '&gt;' : "'"
    })
}

/** Longest text that a template makes, in characters: an edit of it still has room to grow. */
export const longestText = 900_000

class Writing {
  text = ''
  cut = false

  add(more: string): void {
    if (this.text.length + more.length <= longestText) this.text += more
    else this.cut = true
  }

  write(nodes: readonly TemplateNode[], scopes: readonly unknown[]): void {
    for (const node of nodes) {
      if (this.cut) return
      if (node.kind === 'words') {
        this.add(node.text)
        continue
      }
      const value = valueAt(scopes, node.field)
      if (node.kind === 'value') this.add(wordsOf(value, node.field.slice(node.field.lastIndexOf('.') + 1)))
      else if (node.inverted) {
        if (!isTrue(value)) this.write(node.inner, scopes)
      } else if (Array.isArray(value))
        for (const it of value as readonly unknown[]) this.write(node.inner, [it, ...scopes])
      else if (isTrue(value)) this.write(node.inner, [value, ...scopes])
    }
  }
}

/**
 * Fills a template. Fields that it does not know are empty: `checkTemplate` names them before. A text that would become
 * longer than `longestText` ends with a line that says so.
 */
export const renderTemplate = (texts: TemplateTexts, model: ChangeModel): TemplateTexts => {
  const render = (text: string): string => {
    const writing = new Writing()
    writing.write(parseTemplate(text).nodes, [model])
    const made = writing.text.replaceAll(/\n{3,}/g, '\n\n').trim()
    return writing.cut ? `${made}\n\n… The rest is omitted: the text is longer than ${longestText} characters.` : made
  }
  return { header: render(texts.header), body: render(texts.body), footnote: render(texts.footnote) }
}

/** The template of those who made none, version 1.0.0. Its texts stay as they are: a version of a template never changes. */
export const systemTemplate: TemplateTexts & { readonly id: string; readonly version: string } = {
  id: 'system-1.0.0',
  version: '1.0.0',
  header: '# {{project.name}} {{to.label}}',
  body: `**{{headline}}.** {{conclusion}}

{{#breaking}}
{{#heading}}

### {{heading}}

{{/heading}}
- {{message}}{{#direction}} ({{direction}}){{/direction}}{{#repeats}} ({{repeats}}){{/repeats}} \`{{id}}\`{{#undecided}} (undecided){{/undecided}}
{{#example}}
  - example: \`{{example}}\`
{{/example}}
{{#consumers}}
  - affects {{consumers}}
{{/consumers}}
{{/breaking}}

{{#brokenConsumers}}
- **{{name}}** would break: {{reasons}}
{{/brokenConsumers}}

{{#counts.nonBreaking}}
## Compatible changes

{{/counts.nonBreaking}}
{{#nonBreaking}}
{{#heading}}

### {{heading}}

{{/heading}}
- {{message}}{{#direction}} ({{direction}}){{/direction}}{{#repeats}} ({{repeats}}){{/repeats}} \`{{id}}\`
{{/nonBreaking}}

{{#counts.docsOnly}}
## Documentation

{{/counts.docsOnly}}
{{#docsOnly}}
{{#heading}}

### {{heading}}

{{/heading}}
- {{message}}{{#repeats}} ({{repeats}}){{/repeats}}
{{/docsOnly}}

{{#omitted}}
{{omitted}} more changes are left out here.
{{/omitted}}`,
  footnote: '{{#from}}Compared with {{label}}.{{/from}}{{^from}}There is no earlier published version.{{/from}}',
}
