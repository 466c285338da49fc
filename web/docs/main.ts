/** What a page of the documentation does in the browser: search, theme, menu, versions, copying of code. */
import type { default as MiniSearch, SearchResult } from 'minisearch'
import { fileOf } from './place.ts'
import { kindOf, loadIndex, type SearchEntry } from './search-index.ts'
import { startVersions } from './versions.ts'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]
const themeKey = 'svc-docs-theme'

const storedTheme = (): Theme => {
  const stored = localStorage.getItem(themeKey)
  return themes.find((it) => it === stored) ?? 'system'
}

const showTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  const button = document.querySelector<HTMLButtonElement>('button.theme')
  if (button) button.textContent = `Theme: ${theme}`
}

const startTheme = (): void => {
  showTheme(storedTheme())
  document.querySelector('button.theme')?.addEventListener('click', () => {
    const next = themes[(themes.indexOf(storedTheme()) + 1) % themes.length] ?? 'system'
    localStorage.setItem(themeKey, next)
    showTheme(next)
  })
}

const startMenu = (): void => {
  const button = document.querySelector<HTMLButtonElement>('button.menu')
  button?.addEventListener('click', () => {
    const isOpen = document.body.classList.toggle('menu-open')
    button.setAttribute('aria-expanded', String(isOpen))
  })
}

const copy = async (block: Element, button: HTMLElement): Promise<void> => {
  const code = block.querySelector('code') ?? block
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    button.textContent = 'Copied'
  } catch {
    // Not available on plain http away from localhost: the text is selected, ready for the keyboard.
    getSelection()?.selectAllChildren(code)
    button.textContent = 'Selected: press Ctrl+C'
  }
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}

const startCopying = (): void => {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => void copy(block, button))
    block.append(button)
  }
}

/** The way to the top of a folder of static files; a service has none. */
const { top: folderTop } = document.documentElement.dataset

let index: Promise<MiniSearch<SearchEntry>> | undefined

/** The index of a folder is a script: pages that are opened as files may load scripts and nothing else. */
const loadFromFolder = (top: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${top}search.js`
    script.addEventListener('load', () => resolve((window as { svcSearchIndex?: string }).svcSearchIndex ?? '{}'))
    script.addEventListener('error', () => reject(new Error('The index of the search could not be loaded.')))
    document.head.append(script)
  })

const openIndex = (): Promise<MiniSearch<SearchEntry>> => {
  index ??= (
    folderTop === undefined ? fetch('/docs/search.json').then((response) => response.text()) : loadFromFolder(folderTop)
  ).then(loadIndex)
  return index
}

const resultOf = (entry: { id: string; title: string; heading: string }, position: number): HTMLLIElement => {
  const item = document.createElement('li')
  item.setAttribute('role', 'option')
  item.id = `result-${position}`
  item.setAttribute('aria-selected', 'false')
  const link = document.createElement('a')
  link.href = folderTop === undefined ? entry.id : folderTop + fileOf(entry.id)
  link.tabIndex = -1
  const title = document.createElement('strong')
  title.textContent = entry.title
  link.append(title)
  if (entry.heading !== '') link.append(` › ${entry.heading}`)
  const kind = kindOf(entry.id)
  if (kind !== null) {
    const small = document.createElement('small')
    small.textContent = kind
    link.append(small)
  }
  item.append(link)
  return item
}

/** The first results, at most three of each page: a page with many sections must not hide the others. */
const fewPerPage = (results: readonly SearchResult[]): SearchResult[] => {
  const counts = new Map<string, number>()
  return results
    .filter(({ id }) => {
      const page = String(id).split('#')[0] ?? ''
      const count = (counts.get(page) ?? 0) + 1
      counts.set(page, count)
      return count <= 3
    })
    .slice(0, 12)
}

const startSearch = (): void => {
  const input = document.querySelector<HTMLInputElement>('#query')
  const list = document.querySelector<HTMLUListElement>('#results')
  if (!input || !list) return
  let selected = -1
  const close = (): void => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
    selected = -1
  }
  const select = (position: number): void => {
    const items = [...list.querySelectorAll('[role=option]')]
    if (items.length === 0) return
    selected = (position + items.length) % items.length
    items.forEach((item, at) => item.setAttribute('aria-selected', String(at === selected)))
    items[selected]?.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', `result-${selected}`)
  }
  const show = async (): Promise<void> => {
    const query = input.value.trim()
    if (query === '') return close()
    const found = fewPerPage((await openIndex()).search(query))
    // Another key was pressed while the index was loading.
    if (input.value.trim() !== query) return
    list.replaceChildren(
      ...found.map((it, position) =>
        resultOf({ id: String(it.id), title: String(it['title']), heading: String(it['heading']) }, position),
      ),
    )
    if (found.length === 0) {
      const none = document.createElement('li')
      none.className = 'none'
      none.textContent = `No results for "${query}"`
      list.append(none)
    }
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    if (found.length > 0) select(0)
  }
  input.addEventListener('focus', () => void openIndex())
  input.addEventListener('input', () => void show())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') select(selected + 1)
    else if (event.key === 'ArrowUp') select(selected - 1)
    else if (event.key === 'Enter') list.querySelectorAll('a')[selected]?.click()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !list.parentElement?.contains(event.target)) close()
    else if (event.target instanceof Element && event.target.closest('#results a')) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.metaKey || event.ctrlKey))) {
      event.preventDefault()
      input.focus()
    }
  })
}

startTheme()
startMenu()
startCopying()
startSearch()
void startVersions()
