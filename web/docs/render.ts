/** Markdown of the documentation as HTML: one page, its headings and its words for the search. */
import { posix } from 'node:path'
import type { AlignType, Definition, Nodes, Parents, Root, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

export interface Section {
  /** The fragment of the section; empty for what precedes the first heading below the title. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface RenderedPage {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text that is safe between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (it) => escapes[it] ?? it)

const plainText = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()

/** The fragment that code forges give a heading, so that links work there and here. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

/**
 * The address of a page of the site: "guides/ci.md" is /docs/guides/ci, "README.md" of a folder is the folder.
 * @param path below the folder of the documentation, with forward slashes
 */
export const addressOf = (path: string): string => {
  const name = path.replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '')
  return `/docs/${name}`.replace(/\/$/, '')
}

/** Where a link of a page leads: other pages of the documentation by their address, everything else as written. */
export const targetOf = (href: string, page: string, outside: (path: string) => string): string => {
  if (/^([a-z][a-z+.-]*:|#|\/)/i.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const target = posix.normalize(posix.join(posix.dirname(page), path))
  const hash = fragment === undefined ? '' : `#${fragment}`
  if (target === '../CHANGELOG.md') return `/docs/changelog${hash}`
  if (target.startsWith('../')) return outside(target.slice(3)) + hash
  return target.endsWith('.md') ? addressOf(target) + hash : `/docs/${target}${hash}`
}

interface Links {
  readonly page: string
  readonly outside: (path: string) => string
}

/** The nodes of one page as HTML. */
class PageHtml {
  readonly headings: Heading[] = []
  readonly sections: { id: string; heading: string; text: string }[] = [{ id: '', heading: '', text: '' }]
  readonly #taken = new Map<string, number>()
  readonly #definitions: ReadonlyMap<string, Definition>
  readonly #links: Links
  #tables = 0

  constructor(root: Root, links: Links) {
    this.#links = links
    this.#definitions = new Map(
      root.children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node] as const] : [])),
    )
  }

  /** The HTML of all children of a node. */
  inside(node: Parents): string {
    return node.children.map((child) => this.html(child)).join('')
  }

  /** The HTML of a node; kinds of nodes that have no visible text are empty. */
  html(node: Nodes): string {
    switch (node.type) {
      case 'root':
        return this.inside(node)
      case 'paragraph':
        return `<p>${this.inside(node)}</p>\n`
      case 'heading':
        return this.#heading(node.depth, this.inside(node))
      case 'text':
        return escapeHtml(node.value)
      case 'html':
        return node.value
      case 'emphasis':
        return `<em>${this.inside(node)}</em>`
      case 'strong':
        return `<strong>${this.inside(node)}</strong>`
      case 'inlineCode':
        return `<code>${escapeHtml(node.value)}</code>`
      case 'code':
        return `<div class="code"><pre tabindex="0" aria-label="Code"><code data-language="${escapeHtml(node.lang ?? '')}">${escapeHtml(node.value)}</code></pre></div>\n`
      case 'break':
        return '<br>'
      case 'thematicBreak':
        return '<hr>\n'
      case 'blockquote':
        return `<blockquote>\n${this.inside(node)}</blockquote>\n`
      case 'list':
        return this.#list(node)
      case 'link':
        return this.#link(node.url, node)
      case 'linkReference':
        return this.#link(this.#definitions.get(node.identifier)?.url ?? '', node)
      case 'image':
        return `<img src="${this.#target(node.url)}" alt="${escapeHtml(node.alt ?? '')}" loading="lazy">`
      case 'table':
        return this.#table(node)
      default:
        return ''
    }
  }

  #target(url: string): string {
    return escapeHtml(targetOf(url, this.#links.page, this.#links.outside))
  }

  #link(url: string, node: Parents): string {
    return `<a href="${this.#target(url)}">${this.inside(node)}</a>`
  }

  #heading(level: number, html: string): string {
    const text = plainText(html)
    const base = slugOf(text)
    const count = this.#taken.get(base) ?? 0
    this.#taken.set(base, count + 1)
    const id = count === 0 ? base : `${base}-${count}`
    this.headings.push({ level, id, text })
    if (level > 1) this.sections.push({ id, heading: text, text: '' })
    const anchor = level > 1 ? `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a>` : ''
    return `<h${level} id="${id}">${html}${anchor}</h${level}>\n`
  }

  #list(list: Extract<Nodes, { type: 'list' }>): string {
    const start = list.ordered && typeof list.start === 'number' && list.start !== 1 ? ` start="${list.start}"` : ''
    const name = list.ordered ? 'ol' : 'ul'
    const isLoose = list.spread === true || list.children.some((item) => item.spread)
    const items = list.children.map((item) => {
      // The paragraphs of a list without empty lines are not paragraphs of their own.
      const parts = item.children.map((child, index) =>
        isLoose || child.type !== 'paragraph'
          ? this.html(child)
          : `${this.inside(child)}${index + 1 < item.children.length ? '\n' : ''}`,
      )
      return `<li>${parts.join('')}</li>\n`
    })
    return `<${name}${start}>\n${items.join('')}</${name}>\n`
  }

  /** A wide table scrolls by itself, so that the page never does. */
  #table({ align, children: [head, ...rows] }: Table): string {
    const row = (cells: Table['children'][number]['children'], tag: 'th' | 'td'): string =>
      `<tr>\n${cells.map((cell, index) => `<${tag}${alignment(align?.[index])}>${this.inside(cell)}</${tag}>\n`).join('')}</tr>\n`
    const body = rows.map(({ children }) => row(children, 'td')).join('')
    this.#tables += 1
    return (
      `<div class="table" tabindex="0" role="region" aria-label="Table ${this.#tables}"><table>\n` +
      `<thead>\n${row(head?.children ?? [], 'th')}</thead>\n${body === '' ? '' : `<tbody>${body}</tbody>`}</table></div>\n`
    )
  }
}

const alignment = (align: AlignType | undefined): string => (align ? ` align="${align}"` : '')

/**
 * Renders one page.
 * @param page its path below the documentation's folder, which its relative links start from
 * @param outside the address of a file of the project that is not part of the documentation
 */
export function renderPage(markdown: string, page: string, outside: (path: string) => string): RenderedPage {
  const root = fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
  const rendered = new PageHtml(root, { page, outside })
  const html = rendered.html(root)
  const { headings, sections } = rendered
  collect(html, sections)
  const title = headings.find(({ level }) => level === 1)?.text ?? page
  return { title, html, headings, sections: sections.filter(({ text, heading }) => text !== '' || heading !== '') }
}

/** Fills each section with the words between its heading and the next. */
function collect(html: string, sections: { id: string; text: string }[]): void {
  const parts = html.split(/<h[2-6] id="[^"]*">.*?<\/h[2-6]>/s)
  parts.forEach((part, index) => {
    const section = sections[index]
    if (section) section.text = plainText(part.replace(/<h1[\s\S]*?<\/h1>/, ''))
  })
}
