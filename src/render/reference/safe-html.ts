/** Markdown of a document as HTML that cannot do anything: no script, style, image, address of a script, or attribute. */
import type { Element, Root, RootContent } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { sanitize, type Schema } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { markdownToHtml } from '../../host/native.ts'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (it) => escapes[it] ?? it)

const allowed: Schema = {
  tagNames: [
    'a',
    'b',
    'blockquote',
    'br',
    'code',
    'dd',
    'del',
    'div',
    'dl',
    'dt',
    'em',
    'h3',
    'h4',
    'h5',
    'h6',
    'hr',
    'i',
    'kbd',
    'li',
    'ol',
    'p',
    'pre',
    's',
    'span',
    'strong',
    'sub',
    'sup',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'u',
    'ul',
  ],
  attributes: { a: ['href', 'rel'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  ancestors: { li: ['ol', 'ul'], tbody: ['table'], td: ['table'], th: ['table'], thead: ['table'], tr: ['table'] },
  strip: ['script', 'style', 'template', 'iframe', 'object', 'noscript', 'svg', 'math', 'title', 'textarea', 'select'],
}

const address = /^(?:https?:\/\/|mailto:)/i

// Headings are those of the page alone, images would be fetched, and relative addresses lead into nothing.
function tame(node: Element, headings: boolean): RootContent {
  const children = node.children.map((child) =>
    child.type === 'element' ? tame(child, headings) : child,
  ) as Element['children']
  const level = /^h([1-6])$/.exec(node.tagName)?.[1]
  if (level !== undefined && headings)
    return { ...node, tagName: `h${Math.min(6, Number(level) + 2)}`, properties: {}, children }
  if (level !== undefined)
    return {
      ...node,
      tagName: 'p',
      properties: {},
      children: [{ type: 'element', tagName: 'strong', properties: {}, children }],
    }
  if (node.tagName === 'img')
    return { type: 'text', value: typeof node.properties.alt === 'string' ? node.properties.alt : '' }
  if (node.tagName !== 'a') return { ...node, children }
  const { href } = node.properties
  if (typeof href !== 'string' || !address.test(href)) return { ...node, tagName: 'span', properties: {}, children }
  return { ...node, properties: { href, rel: ['noreferrer', 'nofollow'] }, children }
}

// What Bun makes of plain text has nothing that could be dangerous.
const isPlain = (html: string): boolean => /^(?:<p>[^<>]*<\/p>\n?)*$/.test(html)

/**
 * A text in Markdown with HTML in it (CommonMark, GFM), of any origin, as harmless HTML.
 * @param options.headings keeps headings, two levels below: for a text that is a part of its own
 */
export function safeHtml(markdown: string, { headings = false }: { readonly headings?: boolean } = {}): string {
  if (markdown.trim() === '') return ''
  const html = markdownToHtml(markdown)
  if (isPlain(html)) return html
  const read: Root = fromHtml(html, { fragment: true })
  const tamed: Root = {
    ...read,
    children: read.children.map((it) => (it.type === 'element' ? tame(it, headings) : it)),
  }
  return toHtml(sanitize(tamed, allowed))
}
