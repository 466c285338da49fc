import { createElement, Fragment, memo, type ReactNode } from 'react'
import { linkAddress } from '../src/parts/openapi-document.ts'

/** The elements that a description may have, with their looks. Of all others only the words are shown. */
const looks: Readonly<Record<string, string>> = {
  b: '',
  blockquote: 'grid gap-2 border-l-2 border-edge pl-3 text-soft',
  br: '',
  code: 'rounded bg-raised px-1 font-mono text-[0.9em] wrap-anywhere',
  dd: 'pl-4',
  del: '',
  dl: 'grid gap-1',
  dt: 'font-semibold',
  em: '',
  h3: 'mt-2 text-lg font-semibold',
  h4: 'mt-2 font-semibold',
  h5: 'mt-1 font-semibold',
  h6: 'mt-1 text-sm font-semibold',
  hr: '',
  i: '',
  kbd: 'font-mono text-[0.9em]',
  li: 'wrap-anywhere [&>ul]:mt-1',
  ol: 'grid list-decimal gap-1 pl-6',
  p: '',
  s: '',
  strong: 'font-semibold',
  sub: '',
  sup: '',
  tbody: '',
  td: 'px-2 py-1 align-top',
  th: 'px-2 py-1 text-left font-semibold',
  thead: '',
  tr: 'border-b last:border-b-0',
  u: '',
  ul: 'grid list-disc gap-1 pl-6',
}

const empty: ReadonlySet<string> = new Set(['br', 'hr'])

const drawn = (node: Node): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  const inner = [...node.childNodes].map((child, index) => <Fragment key={index}>{drawn(child)}</Fragment>)
  if (name === 'a') {
    const address = linkAddress(node.getAttribute('href')) ?? mail(node.getAttribute('href'))
    return address === null ? (
      inner
    ) : (
      <a className="link wrap-anywhere" href={address} rel="noreferrer nofollow">
        {inner}
      </a>
    )
  }
  if (name === 'pre')
    return (
      <pre
        tabIndex={0}
        role="group"
        aria-label="Code"
        className="overflow-auto rounded-md border bg-raised px-3 py-2 font-mono text-xs"
      >
        {node.textContent}
      </pre>
    )
  if (name === 'table')
    return (
      <div className="overflow-auto" tabIndex={0} role="group" aria-label="Table">
        <table className="text-sm">{inner}</table>
      </div>
    )
  const look = Object.hasOwn(looks, name) ? looks[name] : undefined
  if (look === undefined) return inner
  return empty.has(name) ? createElement(name) : createElement(name, look === '' ? null : { className: look }, ...inner)
}

const mail = (address: string | null): string | null => (address?.startsWith('mailto:') === true ? address : null)

/**
 * A description that the service made harmless, drawn from its own elements: it is parsed into a document that runs and
 * loads nothing, and only known elements, without attributes, come from there.
 */
export const Html = memo(({ html, quiet = false }: { html: string; quiet?: boolean }) => {
  if (html === '') return null
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] gap-2 wrap-anywhere ${quiet ? 'text-sm text-soft' : ''}`}>
      {[...body.childNodes].map((child, index) => (
        <Fragment key={index}>{drawn(child)}</Fragment>
      ))}
    </div>
  )
})
