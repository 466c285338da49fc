/** The playground: the engines of svc in a page, which sends nothing. */
import type { CompareAnswer } from '../../src/playground/compare.ts'
import type { LintAnswer } from '../../src/playground/lint.ts'
import { type Input, readAddress, writeAddress } from './address.ts'
import { Engines } from './ask.ts'
import { button, choice, element } from './element.ts'
import { examples } from './examples.ts'
import { makeModes, type Mode } from './modes.ts'

declare global {
  interface Window {
    /** The engines for scripts: what the commands print with `--format json`, as values. */
    svcPlayground: {
      lint(text: string): Promise<LintAnswer>
      compare(base: string, head: string): Promise<CompareAnswer>
    }
  }
}

const pauseMs = 250
/** Longer addresses are cut by chats and mail programs, and refused by some browsers. */
const longestAddress = 60_000

/** The code of the worker is in the page, so that the page is one file. */
function startWorker(): Worker {
  const code = document.getElementById('engines')?.textContent ?? ''
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  return new Worker(address)
}

/** What an export put into the page; null in others. */
function embeddedInput(): Input | null {
  const text = document.getElementById('input')?.textContent ?? ''
  return text.trim() === '' ? null : (JSON.parse(text) as Input)
}

class Page {
  readonly #engines = new Engines(startWorker)
  readonly #modes = makeModes({ engines: this.#engines, changed: () => this.#change() })
  readonly #tabs = element('nav', { 'aria-label': 'What to do' })
  readonly #controls = element('div', { class: 'controls' })
  readonly #said = element('output', { class: 'said' })
  readonly #main = element('main', {})
  #name = 'lint'
  #timer = 0

  get #mode(): Mode {
    return this.#modes.get(this.#name) as Mode
  }

  draw(): void {
    const titles = examples.map(({ title }, index) => [String(index), title] as const)
    const { field, select } = choice('Example', [['', 'Choose …'], ...titles], (value) => {
      const chosen = examples[Number(value)]
      if (value !== '' && chosen !== undefined) this.show(chosen)
      select.value = ''
    })
    for (const [name, { title }] of this.#modes)
      this.#tabs.append(button(title, () => this.#choose(name), { 'data-mode': name }))
    const theme = button('Theme', () => this.#turnTheme(), { title: 'Light or dark' })
    document.body.append(
      element(
        'header',
        { class: 'bar' },
        element('h1', {}, 'svc ', element('span', { class: 'soft' }, 'playground')),
        this.#tabs,
        element('span', { class: 'grow' }),
        theme,
      ),
      element(
        'section',
        { class: 'bar tools', 'aria-label': 'Input' },
        field,
        this.#controls,
        element('span', { class: 'grow' }),
        this.#said,
        button('Copy link', () => void this.#copyLink()),
        button('Copy as command', () => void this.#copy(this.#mode.command(), 'The command is copied.')),
        button('Copy as issue', () => void this.#copyIssue()),
      ),
      this.#main,
      element('footer', { class: 'soft' }, 'Nothing leaves this page: the engines run here.'),
    )
    this.#choose(this.#name)
  }

  /** Shows an input and answers it. */
  show({ mode, texts, option }: Input): void {
    this.#choose(this.#modes.has(mode) ? mode : 'lint')
    for (const [index, editor] of this.#mode.editors.entries()) editor.text = texts[index] ?? ''
    if (option !== undefined || this.#name === 'lint') this.#mode.option = option
    this.#change()
  }

  get #input(): Input {
    const { option, editors } = this.#mode
    const texts = editors.map(({ text }) => text)
    return { mode: this.#name, texts, ...(option === undefined ? {} : { option }) }
  }

  #choose(name: string): void {
    this.#name = name
    for (const tab of this.#tabs.children)
      tab.setAttribute('aria-current', String((tab as HTMLElement).dataset.mode === name))
    this.#main.replaceChildren(this.#mode.element)
    this.#controls.replaceChildren(...this.#mode.controls)
    void this.#mode.run()
  }

  #change(): void {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.#mode.run(), pauseMs)
  }

  #turnTheme(): void {
    const { dataset } = document.documentElement
    const isDark =
      dataset.theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : dataset.theme === 'dark'
    dataset.theme = isDark ? 'light' : 'dark'
  }

  #say(text: string): void {
    this.#said.value = text
    window.setTimeout(() => (this.#said.value = ''), 4000)
  }

  async #copy(text: string, said: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      this.#say(said)
    } catch {
      this.#say('The browser does not allow copying here.')
    }
  }

  async #copyLink(): Promise<void> {
    const fragment = await writeAddress(this.#input)
    if (fragment.length > longestAddress) {
      this.#say('The input is too long for a link. Copy it as a command.')
      return
    }
    history.replaceState(null, '', fragment)
    await this.#copy(location.href, 'The link is copied. It holds the input.')
  }

  async #copyIssue(): Promise<void> {
    const answer = this.#mode.element.lastElementChild as HTMLElement
    const fragment = await writeAddress(this.#input)
    const parts = this.#mode.editors.map(({ text }) => `\`\`\`\`\n${text.replace(/\n$/, '')}\n\`\`\`\`\n`)
    const link =
      fragment.length > longestAddress || location.protocol === 'file:'
        ? ''
        : `\n[Open in the playground](${location.href.replace(/#.*/, '')}${fragment})\n`
    const text = `**What svc answers** (${this.#mode.title})\n\n\`\`\`\`\n${answer.innerText.trim()}\n\`\`\`\`\n\n**What I expect**\n\n\n\n**Input**\n\n${parts.join('\n')}${link}`
    await this.#copy(text, 'The issue is copied as Markdown.')
  }

  async #follow(): Promise<void> {
    const input = await readAddress(location.hash)
    if (input !== null) this.show(input)
  }

  /** Reads the input of the address or of the page, and begins. */
  async begin(): Promise<void> {
    this.draw()
    const given = embeddedInput() ?? (await readAddress(location.hash)) ?? examples[0]
    if (given !== undefined) this.show(given)
    window.addEventListener('hashchange', () => void this.#follow())
    window.svcPlayground = {
      lint: (text) => this.#engines.ask('lint', { text }),
      compare: (base, head) =>
        this.#engines.ask('compare', {
          base: { name: 'base', text: base },
          head: { name: 'head', text: head },
          asOf: new Date().toISOString().slice(0, 10),
        }),
    }
    await this.#engines.ready
    document.documentElement.dataset.ready = 'true'
  }
}

void new Page().begin()
