/** A text with numbers and marks beside its lines. The field is the browser's own, so its undo, search and input methods work. */
import { element } from './element.ts'

/** What a line is marked with, by the worst that was found in it. */
export interface Mark {
  /** From 0. */
  readonly line: number
  readonly severity: string
  readonly message: string
}

const lineHeight = 20
const severities = ['error', 'warning', 'info', 'hint']

const worse = (a: string, b: string): string => (severities.indexOf(a) <= severities.indexOf(b) ? a : b)

/** One text that can be edited. */
export class Editor {
  readonly element: HTMLElement
  readonly #field: HTMLTextAreaElement
  readonly #gutter: HTMLElement
  readonly #lines: HTMLElement
  #marks: ReadonlyMap<number, { severity: string; messages: string[] }> = new Map()
  #count = 1

  /**
   * @param label what the text is, for people who do not see the page
   * @param changed is called after each change by a person
   */
  constructor(label: string, changed: () => void, { isReadOnly = false }: { isReadOnly?: boolean } = {}) {
    this.#field = element('textarea', {
      'aria-label': label,
      spellcheck: 'false',
      autocomplete: 'off',
      autocapitalize: 'off',
      wrap: 'off',
      ...(isReadOnly ? { readonly: '' } : { placeholder: 'Paste a document, or drop a file' }),
    })
    this.#lines = element('div', { class: 'numbers' })
    this.#gutter = element('div', { class: 'gutter', 'aria-hidden': 'true' }, this.#lines)
    this.element = element('div', { class: 'editor' }, this.#gutter, this.#field)
    this.#field.addEventListener('input', () => {
      this.#read()
      changed()
    })
    this.#field.addEventListener('scroll', () => this.#draw())
    new ResizeObserver(() => this.#draw()).observe(this.element)
    if (!isReadOnly) this.#takeFiles(changed)
  }

  #takeFiles(changed: () => void): void {
    this.#field.addEventListener('dragover', (event) => event.preventDefault())
    this.#field.addEventListener('drop', (event) => {
      const file = event.dataTransfer?.files[0]
      if (file === undefined) return
      event.preventDefault()
      void this.#takeFile(file, changed)
    })
  }

  async #takeFile(file: File, changed: () => void): Promise<void> {
    this.text = await file.text()
    changed()
  }

  get text(): string {
    return this.#field.value
  }

  set text(text: string) {
    this.#field.value = text
    this.#read()
  }

  #read(): void {
    let count = 1
    const { value } = this.#field
    for (let at = value.indexOf('\n'); at !== -1; at = value.indexOf('\n', at + 1)) count++
    this.#count = count
    this.#gutter.style.width = `${String(count).length + 3}ch`
    this.#marks = new Map()
    this.#draw()
  }

  /** Marks lines, in place of what was marked. */
  mark(marks: readonly Mark[]): void {
    const byLine = new Map<number, { severity: string; messages: string[] }>()
    for (const { line, severity, message } of marks) {
      const known = byLine.get(line)
      byLine.set(line, {
        severity: worse(severity, known?.severity ?? severity),
        messages: [...(known?.messages ?? []), message],
      })
    }
    this.#marks = byLine
    this.#draw()
  }

  /** Draws only the lines that are seen: a document may have a hundred thousand. */
  #draw(): void {
    const { scrollTop, clientHeight } = this.#field
    const first = Math.max(0, Math.floor(scrollTop / lineHeight) - 2)
    const last = Math.min(this.#count, Math.ceil((scrollTop + clientHeight) / lineHeight) + 2)
    const shown: HTMLElement[] = []
    for (let line = first; line < last; line++) {
      const mark = this.#marks.get(line)
      const properties =
        mark === undefined ? {} : { class: `marked ${mark.severity}`, title: mark.messages.slice(0, 5).join('\n') }
      shown.push(element('div', properties, String(line + 1)))
    }
    this.#lines.replaceChildren(...shown)
    this.#lines.style.transform = `translateY(${first * lineHeight - scrollTop}px)`
  }

  /** Shows a line and selects a part of it. @param line from 0 @param characters from and to, in the line */
  reveal(line: number, [from, to]: readonly [number, number] = [0, 0]): void {
    let start = 0
    for (let index = 0; index < line; index++) {
      const end = this.#field.value.indexOf('\n', start)
      if (end === -1) break
      start = end + 1
    }
    const end = this.#field.value.indexOf('\n', start)
    const length = (end === -1 ? this.#field.value.length : end) - start
    const until = to > from ? Math.min(to, length) : length
    this.#field.focus({ preventScroll: true })
    this.#field.setSelectionRange(start + Math.min(from, length), start + until)
    this.#field.scrollTop = Math.max(0, line * lineHeight - this.#field.clientHeight / 3)
    this.#draw()
  }
}
