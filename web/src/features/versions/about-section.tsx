import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { VersionOverview } from '../../../../src/api/insights.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { count } from '../../parts/count.ts'
import { Markdown } from '../../parts/markdown.tsx'
import { Section } from '../../parts/page.tsx'
import type { VersionRef } from './queries.ts'

/** A description longer than this is folded at first. */
const longText = 1500
const mostTags = 24

const Description = ({ text }: { text: string }) => {
  const [isOpen, setOpen] = useState(text.length <= longText)
  // Cut between paragraphs, so that no markup is cut in two.
  const cut = text.lastIndexOf('\n\n', longText)
  return (
    <Section title="Description">
      <div className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        <Markdown text={isOpen ? text : text.slice(0, cut > 0 ? cut : longText)} />
        {text.length > longText ? (
          <div>
            <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Show less' : 'Show all'}
            </Button>
          </div>
        ) : null}
      </div>
    </Section>
  )
}

const Rows = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-1.5 px-4 py-3 sm:grid-cols-[7rem_minmax(0,1fr)]">
    <h3 className="text-sm text-soft">{name}</h3>
    <div className="min-w-0">{children}</div>
  </div>
)

const Tags = ({ at, overview }: { at: VersionRef; overview: VersionOverview }) => {
  const [isOpen, setOpen] = useState(false)
  const { tags, untagged } = overview
  const all = tags.filter((it) => it.operations > 0)
  const shown = isOpen ? all : all.slice(0, mostTags)
  return (
    <ul className="flex flex-wrap gap-1.5">
      {shown.map((it) => (
        <li key={it.name} className="min-w-0">
          <Link
            to="/t/$tenant/$project/$version/operations"
            params={{ ...at }}
            search={{ tag: it.name }}
            title={it.description ?? undefined}
            className="inline-flex max-w-full items-baseline gap-1.5 rounded-full border border-edge px-2.5 py-0.5 text-sm hover:bg-raised"
          >
            <span className="min-w-0 truncate">{it.name}</span>
            <span className="text-xs text-soft tabular-nums">{it.operations.toLocaleString()}</span>
          </Link>
        </li>
      ))}
      {all.length > shown.length ? (
        <li>
          <button type="button" className="link min-h-6 text-sm" onClick={() => setOpen(true)}>
            {count(all.length - shown.length, 'more tag', 'more tags')}
          </button>
        </li>
      ) : null}
      {untagged > 0 ? (
        <li className="px-1 py-0.5 text-sm text-soft">{untagged.toLocaleString()} without a tag</li>
      ) : null}
    </ul>
  )
}

/** What the document says about itself: description, servers, ways to authenticate, and its operations by tag. */
export const AboutSection = ({
  at,
  overview,
  operations,
}: {
  at: VersionRef
  overview: VersionOverview
  operations: number
}) => (
  <>
    {overview.description ? <Description text={overview.description} /> : null}
    <Section title="Contents">
      <div className="card divide-y">
        <Rows name="Operations">
          <p className="text-sm">
            <Link to="/t/$tenant/$project/$version/operations" params={{ ...at }} className="link">
              {count(operations, 'operation', 'operations')}
            </Link>
            {overview.deprecated > 0 ? `, ${overview.deprecated.toLocaleString()} deprecated` : ''}
          </p>
        </Rows>
        {overview.tags.some((it) => it.operations > 0) ? (
          <Rows name="Tags">
            <Tags at={at} overview={overview} />
          </Rows>
        ) : null}
        {overview.servers.length > 0 ? (
          <Rows name="Servers">
            <ul className="grid gap-0.5">
              {overview.servers.map((it) => (
                <li key={it} className="flex items-center gap-1 font-mono text-xs break-all">
                  {it}
                  <CopyButton text={it} what={`the server ${it}`} />
                </li>
              ))}
            </ul>
          </Rows>
        ) : null}
        {overview.security.length > 0 ? (
          <Rows name="Authentication">
            <ul className="grid gap-0.5 text-sm">
              {overview.security.map((it) => (
                <li key={it} className="wrap-anywhere">
                  {it}
                </li>
              ))}
            </ul>
          </Rows>
        ) : null}
      </div>
    </Section>
  </>
)
