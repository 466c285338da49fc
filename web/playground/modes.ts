/** What the page can do: each mode has its texts, and draws what the engines answer about them. */
import type { Engines } from './ask.ts'
import { choice, element } from './element.ts'
import { Editor } from './editor.ts'
import { compareResults, containedResults, lintResults, notesOf, refusal } from './results.ts'

/** One mode of the page. */
export interface Mode {
  readonly title: string
  /** Everything below the bar; its last element shows the results. */
  readonly element: HTMLElement
  /** Controls for the bar. */
  readonly controls: readonly HTMLElement[]
  readonly editors: readonly Editor[]
  /** What was chosen beside the texts; undefined where there is nothing to choose. */
  option?: string | undefined
  /** Answers for the texts as they are, and draws the answer. */
  run(): Promise<void>
  /** The same with the executable. */
  command(): string
}

interface Around {
  readonly engines: Engines
  /** Called where a text or a choice has changed. */
  readonly changed: () => void
}

const heredoc = (name: string, text: string): string => {
  let mark = 'END'
  while (text.split('\n').includes(mark)) mark += '_'
  return `cat > ${name} <<'${mark}'\n${text.replace(/\n$/, '')}\n${mark}\n`
}

const fileName = (stem: string, text: string): string => `${stem}.${/^\s*[[{]/.test(text) ? 'json' : 'yaml'}`

const today = (): string => new Date().toISOString().slice(0, 10)

/** A place for answers; an answer that comes after a later question is dropped. */
class Answers {
  readonly element = element('div', { class: 'answers', 'aria-live': 'polite' })
  #asked = 0

  async show(make: () => Promise<HTMLElement>): Promise<void> {
    const mine = ++this.#asked
    this.element.setAttribute('aria-busy', 'true')
    const made = await make().catch((error: unknown) => refusal(error instanceof Error ? error.message : String(error)))
    if (mine !== this.#asked) return
    this.element.removeAttribute('aria-busy')
    this.element.replaceChildren(made)
  }
}

const titled = (title: string, editor: Editor): HTMLElement =>
  element('section', { class: 'pane' }, element('h2', {}, title), editor.element)

const hint = (text: string): HTMLElement =>
  element('section', { class: 'results' }, element('header', {}, element('p', {}, text)))

const ruleOptions = (rule: string): HTMLElement[] => {
  const only = element('option', { value: rule }, `Only ${rule}`)
  only.selected = true
  return [element('option', { value: '' }, 'Recommended'), only]
}

function lintMode({ engines, changed }: Around): Mode {
  const editor = new Editor('Document', changed)
  const answers = new Answers()
  // A page of a rule leads here with its example, and asks for the rule that may be off by default.
  const { field, select } = choice('Rules', [['', 'Recommended']], changed)
  const fix = async (): Promise<void> => {
    const { text, notes } = await engines.ask('fix', { text: editor.text })
    editor.text = text
    changed()
    if (notes.length === 0)
      answers.element.prepend(element('p', { class: 'said' }, 'No fix is safe to apply without looking.'))
  }
  return {
    title: 'Lint',
    element: element('div', { class: 'work two' }, titled('Document', editor), answers.element),
    controls: [field],
    editors: [editor],
    get option() {
      return select.value === '' ? undefined : select.value
    },
    set option(rule) {
      if (rule === undefined) select.value = ''
      else select.replaceChildren(...ruleOptions(rule))
    },
    run: () =>
      answers.show(async () => {
        const { text } = editor
        if (text.trim() === '') {
          editor.mark([])
          return hint('Paste a description: OpenAPI, Swagger, Arazzo, JSON Schema or MCP.')
        }
        const rule = select.value
        const answer = await engines.ask('lint', { text, ...(rule === '' ? {} : { rule }) })
        if (editor.text === text)
          editor.mark(
            answer.findings.map(({ range, severity, message }) => ({ line: range.start.line, severity, message })),
          )
        const isFixable = answer.findings.some((finding) => finding.fix !== null && finding.fix.visible === undefined)
        return lintResults(
          answer,
          ({ start, end }) =>
            editor.reveal(start.line, start.line === end.line ? [start.character, end.character] : undefined),
          isFixable ? () => void fix() : null,
        )
      }),
    command() {
      const name = fileName('openapi', editor.text)
      if (select.value === '') return `${heredoc(name, editor.text)}svc lint ${name}\n`
      const guide = `extends: [[svc:recommended, off]]\nrules:\n  ${select.value}: error\n`
      return `${heredoc(name, editor.text)}${heredoc('guide.yaml', guide)}svc lint ${name} --guide guide.yaml\n`
    },
  }
}

function compareMode({ engines, changed }: Around): Mode {
  const base = new Editor('Base: the document before', changed)
  const head = new Editor('Head: the document after', changed)
  const answers = new Answers()
  const named = (stem: string, { text }: Editor) => ({ name: stem, text })
  return {
    title: 'Compare',
    element: element('div', { class: 'work three' }, titled('Base', base), titled('Head', head), answers.element),
    controls: [],
    editors: [base, head],
    run: () =>
      answers.show(async () => {
        if (base.text.trim() === '' || head.text.trim() === '')
          return hint('Paste the document before the change and the one after it.')
        const answer = await engines.ask('compare', {
          base: named('base', base),
          head: named('head', head),
          asOf: today(),
        })
        const marks = (side: 'base' | 'head') =>
          answer.changes.flatMap((change) => {
            const range = change[side]?.range
            const severity = change.severity === 'breaking' ? 'error' : 'info'
            return range ? [{ line: range.start.line, severity, message: change.message }] : []
          })
        base.mark(marks('base'))
        head.mark(marks('head'))
        return compareResults(answer, (side, { start }) => (side === 'base' ? base : head).reveal(start.line))
      }),
    command() {
      const [older, newer] = [fileName('base', base.text), fileName('head', head.text)]
      return `${heredoc(older, base.text)}${heredoc(newer, head.text)}svc diff ${older} ${newer}\n`
    },
  }
}

const conversions = [
  ['openapi-3.1', 'OpenAPI 3.1'],
  ['openapi-3.2', 'OpenAPI 3.2'],
  ['openapi-3.0', 'OpenAPI 3.0'],
  ['json-schema', 'JSON Schema 2020-12'],
  ['json-schema-2019-09', 'JSON Schema 2019-09'],
  ['json-schema-draft-07', 'JSON Schema draft-07'],
] as const

function convertMode({ engines, changed }: Around): Mode {
  const source = new Editor('Document', changed)
  const made = new Editor('Result', changed, { isReadOnly: true })
  const answers = new Answers()
  const { field, select } = choice('To', conversions, changed)
  return {
    title: 'Convert',
    element: element(
      'div',
      { class: 'work three' },
      titled('Document', source),
      titled('Result', made),
      answers.element,
    ),
    controls: [field],
    editors: [source],
    get option() {
      return select.value
    },
    set option(value) {
      if (value !== undefined && conversions.some(([id]) => id === value)) select.value = value
    },
    run: () =>
      answers.show(async () => {
        made.text = ''
        if (source.text.trim() === '') return hint('Paste a description or a JSON Schema.')
        const answer = await engines.ask('convert', { text: source.text, to: select.value })
        made.text = answer.text
        source.mark(
          answer.notes.map(({ line, loss, message }) => ({
            line: line - 1,
            severity: loss ? 'warning' : 'hint',
            message,
          })),
        )
        return notesOf(answer, 'Nothing is lost')
      }),
    command() {
      const name = fileName('openapi', source.text)
      return `${heredoc(name, source.text)}svc convert ${name} --to ${select.value}\n`
    },
  }
}

function schemasMode({ engines, changed }: Around): Mode {
  const a = new Editor('Schema A', changed)
  const b = new Editor('Schema B', changed)
  const answers = new Answers()
  return {
    title: 'Schemas',
    element: element('div', { class: 'work three' }, titled('A', a), titled('B', b), answers.element),
    controls: [],
    editors: [a, b],
    run: () =>
      answers.show(async () => {
        if (a.text.trim() === '' || b.text.trim() === '')
          return hint('Is every value of A a value of B? Paste two JSON Schemas.')
        return containedResults(await engines.ask('contains', { a: a.text, b: b.text }))
      }),
    command: () => `${heredoc('a.json', a.text)}${heredoc('b.json', b.text)}svc diff a.json b.json --mode backward\n`,
  }
}

const fileMark = /^# file: (\S+)[ \t]*$/m

/** The files of a text in which a line `# file: NAME` begins each; one without a name is `openapi.yaml`. */
export function splitFiles(text: string): { name: string; text: string }[] {
  const [before = '', ...parts] = text.split(new RegExp(fileMark.source, 'gm'))
  const files: { name: string; text: string }[] = before.trim() === '' ? [] : [{ name: 'openapi.yaml', text: before }]
  for (let at = 0; at + 1 < parts.length; at += 2)
    files.push({ name: String(parts[at]), text: String(parts[at + 1]).replace(/^\r?\n/, '') })
  return files
}

function bundleMode({ engines, changed }: Around): Mode {
  const sources = new Editor('Files', changed)
  const made = new Editor('Bundle', changed, { isReadOnly: true })
  const answers = new Answers()
  return {
    title: 'Bundle',
    element: element('div', { class: 'work three' }, titled('Files', sources), titled('Bundle', made), answers.element),
    controls: [],
    editors: [sources],
    run: () =>
      answers.show(async () => {
        made.text = ''
        const files = splitFiles(sources.text)
        if (files.length === 0)
          return hint(
            'Paste the description, then each file that it refers to behind a line "# file: schemas/pet.yaml".',
          )
        const answer = await engines.ask('bundle', { files })
        made.text = answer.text
        return hint(files.length === 1 ? 'One file' : `${files.length} files as one`)
      }),
    command() {
      const files = splitFiles(sources.text)
      const folders = new Set(files.map(({ name }) => name.replace(/\/?[^/]*$/, '')).filter((folder) => folder !== ''))
      const made = [...folders].map((folder) => `mkdir -p '${folder}'\n`)
      return `${made.join('')}${files.map(({ name, text }) => heredoc(`'${name}'`, text)).join('')}svc bundle '${files[0]?.name ?? 'openapi.yaml'}'\n`
    },
  }
}

/** All modes by the names that addresses have. */
export const makeModes = (around: Around): ReadonlyMap<string, Mode> =>
  new Map([
    ['lint', lintMode(around)],
    ['compare', compareMode(around)],
    ['schemas', schemasMode(around)],
    ['convert', convertMode(around)],
    ['bundle', bundleMode(around)],
  ])
