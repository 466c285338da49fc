import type { Nodes, Parents } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { createElement, Fragment, memo, type ReactNode, useEffect, useMemo, useState } from 'react'
import { linkAddress } from './openapi-document.ts'

const inner = (node: Parents): ReactNode =>
  node.children.map((child, index) => <Fragment key={index}>{drawn(child)}</Fragment>)

const headings = [
  'text-[1.2em] font-semibold',
  'mt-3 border-b pb-1 text-[1.08em] font-semibold',
  'mt-1 text-[0.95em] font-semibold',
] as const

/** Headings are one level below those of the page. */
const heading = (depth: number, children: ReactNode): ReactNode =>
  createElement(`h${Math.min(6, depth + 1)}`, { className: headings[Math.min(depth, headings.length) - 1] }, children)

const link = (url: string, children: ReactNode): ReactNode => {
  // A mention of a member in a comment.
  if (url.startsWith('user:')) return <strong>{children}</strong>
  const address = linkAddress(url)
  return address === null ? (
    children
  ) : (
    <a className="link wrap-anywhere" href={address} rel="noreferrer nofollow">
      {children}
    </a>
  )
}

const table = (node: Extract<Nodes, { type: 'table' }>): ReactNode => {
  const [head, ...rows] = node.children
  return (
    <div className="overflow-auto" tabIndex={0} role="group" aria-label="Table">
      <table className="text-sm">
        <thead>
          <tr className="border-b">
            {head?.children.map((cell, index) => (
              <th key={index} className="px-2 py-1 text-left font-semibold">
                {inner(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className="border-b last:border-b-0">
              {row.children.map((cell, at) => (
                <td key={at} className="px-2 py-1 align-top break-words">
                  {inner(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

// HTML is shown as the text that it is, pictures by their words: nothing is ever fetched from elsewhere.
const drawn = (node: Nodes): ReactNode => {
  switch (node.type) {
    case 'root':
      return inner(node)
    case 'paragraph':
      return <p>{inner(node)}</p>
    case 'heading':
      return heading(node.depth, inner(node))
    case 'text':
      return node.value
    case 'html':
      return <code className="font-mono text-[0.9em] wrap-anywhere">{node.value}</code>
    case 'emphasis':
      return <em>{inner(node)}</em>
    case 'strong':
      return <strong>{inner(node)}</strong>
    case 'inlineCode':
      return <code className="rounded bg-raised px-1 font-mono text-[0.9em] wrap-anywhere">{node.value}</code>
    case 'code':
      return (
        <pre
          tabIndex={0}
          role="group"
          aria-label="Code"
          className="overflow-auto rounded-md border bg-raised px-3 py-2 font-mono text-xs"
        >
          {node.value}
        </pre>
      )
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'blockquote':
      return <blockquote className="grid gap-2 border-l-2 border-edge pl-3 text-soft">{inner(node)}</blockquote>
    case 'list':
      return node.ordered ? (
        <ol start={node.start ?? 1} className="grid list-decimal gap-1 pl-6">
          {inner(node)}
        </ol>
      ) : (
        <ul className="grid list-disc gap-1 pl-6">{inner(node)}</ul>
      )
    case 'listItem':
      return <li className="break-words [&>ul]:mt-1">{inner(node)}</li>
    case 'link':
      return link(node.url, inner(node))
    case 'image':
      return link(node.url, node.alt || node.url)
    case 'table':
      return table(node)
    case 'linkReference':
      return inner(node)
    default:
      return null
  }
}

/** A text in Markdown (CommonMark with tables), drawn from its syntax tree: no HTML of its own is ever put into the page. */
export const Markdown = memo(({ text }: { text: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3 wrap-anywhere">
    {drawn(fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }))}
  </div>
))

// Characters of a piece: a few milliseconds to parse and draw.
const usual = 16_000

const opensOrCloses = /^ {0,3}(?:```|~~~)/
/** Lines that begin a block whatever is above them: a heading, or an item of a list that is in no other one. */
const begins = /^(?:#{1,6} |[-*+] )/

/** A text in Markdown as pieces that can be drawn one after the other: none begins within a block. */
export function markdownPieces(text: string): readonly string[] {
  const pieces: string[] = []
  let [from, at] = [0, 0]
  let isCode = false
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const next = end === -1 ? text.length : end + 1
    const line = text.slice(at, next)
    if (!isCode && at - from > usual && begins.test(line)) {
      pieces.push(text.slice(from, at))
      from = at
    }
    if (opensOrCloses.test(line)) isCode = !isCode
    at = next
  }
  return [...pieces, text.slice(from)]
}

/** A text in Markdown of any length: its beginning at once, the rest piece by piece, so that the page can be used meanwhile. */
export const LongMarkdown = ({ text }: { text: string }) => {
  const pieces = useMemo(() => markdownPieces(text), [text])
  const [{ of, shown }, setShown] = useState({ of: text, shown: 1 })
  const drawn = of === text ? shown : 1
  useEffect(() => {
    if (drawn >= pieces.length) return
    const timer = setTimeout(() => setShown({ of: text, shown: drawn + 1 }))
    return () => clearTimeout(timer)
  }, [text, drawn, pieces])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-busy={drawn < pieces.length}>
      {pieces.slice(0, drawn).map((piece, index) => (
        // What is far from the screen is laid out when it comes near.
        <div
          key={index}
          className={index === 0 ? '' : '[contain-intrinsic-size:auto_3000px] [content-visibility:auto]'}
        >
          <Markdown text={piece} />
        </div>
      ))}
    </div>
  )
}
