/** Markdown of the documentation as HTML: one page, its headings and its words for the search. */
import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'

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
const targetOf = (href: string, page: string, outside: (path: string) => string): string => {
  if (/^([a-z][a-z+.-]*:|#|\/)/i.test(href)) return href
  const [path = '', fragment] = href.split('#')
  const target = posix.normalize(posix.join(posix.dirname(page), path))
  const hash = fragment === undefined ? '' : `#${fragment}`
  if (target.startsWith('../')) return outside(target.slice(3)) + hash
  return target.endsWith('.md') ? addressOf(target) + hash : `/docs/${target}${hash}`
}

/**
 * Renders one page.
 * @param page its path below the documentation's folder, which its relative links start from
 * @param outside the address of a file of the project that is not part of the documentation
 */
export function renderPage(markdown: string, page: string, outside: (path: string) => string): RenderedPage {
  const headings: Heading[] = []
  const sections: { id: string; heading: string; text: string }[] = [{ id: '', heading: '', text: '' }]
  const taken = new Map<string, number>()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens)
        const text = plainText(html)
        const base = slugOf(text)
        const count = taken.get(base) ?? 0
        taken.set(base, count + 1)
        const id = count === 0 ? base : `${base}-${count}`
        headings.push({ level: depth, id, text })
        if (depth > 1) sections.push({ id, heading: text, text: '' })
        const anchor = depth > 1 ? `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a>` : ''
        return `<h${depth} id="${id}">${html}${anchor}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeHtml(targetOf(href, page, outside))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }: Tokens.Image): string {
        return `<img src="${escapeHtml(targetOf(href, page, outside))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code({ text, lang }: Tokens.Code): string {
        const language = escapeHtml(lang ?? '')
        return `<div class="code"><pre tabindex="0" aria-label="Code"><code data-language="${language}">${escapeHtml(text)}</code></pre></div>\n`
      },
    },
    hooks: {
      postprocess: (html) => {
        // Wide tables scroll by themselves, so that the page never does.
        let count = 0
        const opening = (): string =>
          `<div class="table" tabindex="0" role="region" aria-label="Table ${(count += 1)}"><table>`
        return html.replaceAll('<table>', opening).replaceAll('</table>', '</table></div>')
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  collect(html, sections)
  const title = headings.find((it) => it.level === 1)?.text ?? page
  return { title, html, headings, sections: sections.filter((it) => it.text !== '' || it.heading !== '') }
}

/** Fills each section with the words between its heading and the next. */
function collect(html: string, sections: { id: string; text: string }[]): void {
  const parts = html.split(/<h[2-6] id="[^"]*">.*?<\/h[2-6]>/s)
  parts.forEach((part, index) => {
    const section = sections[index]
    if (section) section.text = plainText(part.replace(/<h1[\s\S]*?<\/h1>/, ''))
  })
}
