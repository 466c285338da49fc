import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { VersionOverview } from '../../../../src/api/insights.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Markdown } from '../../parts/markdown.tsx'
import { Facts, Moment, Section } from '../../parts/page.tsx'
import { versionParams, type VersionRef } from '../catalog/versions.ts'
import { type VersionRecord, versionsApi } from '../../../../src/api/versions.ts'
import { callText } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Window } from '../../parts/dialog.tsx'
import { useDownload } from '../../parts/download.ts'
import { later } from '../../parts/later.tsx'
import { Failure } from '../../parts/states.tsx'
import { CommandHint } from '../../parts/commands.tsx'

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
      {shown.map((tag) => (
        <li key={tag.name} className="min-w-0">
          <Link
            to="/t/$tenant/$project/$version/operations"
            params={{ ...at }}
            search={{ tag: tag.name }}
            title={tag.description ?? undefined}
            className="inline-flex max-w-full items-baseline gap-1.5 rounded-full border border-edge px-2.5 py-0.5 text-sm hover:bg-raised"
          >
            <span className="min-w-0 truncate">{tag.name}</span>
            <span className="text-xs text-soft tabular-nums">{tag.operations.toLocaleString()}</span>
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
export const AboutSection = ({ at, overview }: { at: VersionRef; overview: VersionOverview }) => (
  <>
    {overview.description ? <Description text={overview.description} /> : null}
    <Section title="Contents">
      <div className="card divide-y empty:hidden">
        {overview.deprecated > 0 ? (
          <Rows name="Deprecated">
            <p className="text-sm">{count(overview.deprecated, 'operation', 'operations')}</p>
          </Rows>
        ) : null}
        {overview.tags.some((it) => it.operations > 0) ? (
          <Rows name="Tags">
            <Tags at={at} overview={overview} />
          </Rows>
        ) : null}
        {overview.servers.length > 0 ? (
          <Rows name="Servers">
            <ul className="grid gap-0.5">
              {overview.servers.map((server) => (
                <li key={server} className="flex items-center gap-1 font-mono text-xs break-all">
                  {server}
                  <CopyButton text={server} what={`the server ${server}`} />
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

const Badges = later('the badges', async () => (await import('../projects/badges.tsx')).Badges)

const Address = ({ name, url, what }: { name: string; url: string; what: string }) => (
  <div className="grid gap-0.5">
    <h3 className="text-xs text-soft">{name}</h3>
    <p className="flex items-start gap-1">
      <a href={url} className="link min-w-0 font-mono text-xs break-all">
        {url}
      </a>
      <CopyButton text={url} what={what} />
    </p>
  </div>
)

/** Permanent addresses of a version, and its document as a file. */
export const LinksSection = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const download = useDownload()
  const { dialog, open, close } = useAddress()
  const extension =
    record.digest === record.provenance.digest && /\.ya?ml$/.test(record.provenance.source) ? 'yaml' : 'json'
  const absolute = (url: string): string => new URL(url, location.origin).href
  return (
    <Section title="Links">
      <div className="card grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
        <Address name="Documentation" url={absolute(record.urls.page)} what="the address of the documentation" />
        <Address name="Document" url={absolute(record.urls.document)} what="the address of the document" />
        <div className="flex flex-wrap gap-2">
          <Button
            busy={download.isPending}
            onClick={() =>
              download.mutate({
                name: `${at.project}-${record.label}.${extension}`,
                type: extension === 'yaml' ? 'application/yaml' : 'application/json',
                read: async () => (await callText(versionsApi.document, { params: versionParams(at) })).text,
              })
            }
          >
            Download
          </Button>
          <Link to="/t/$tenant/$project/$version/changes/report" params={{ ...at }} className={buttonClass()}>
            Release notes
          </Link>
          <Button onClick={() => open('badges')}>Badges …</Button>
        </div>
        {download.error ? <Failure error={download.error} /> : null}
      </div>
      <Window open={dialog === 'badges'} onClose={close} title="Badges">
        <Badges tenant={at.tenant} project={at.project} onClose={close} />
      </Window>
    </Section>
  )
}

/** As many characters as tell two commits or two contents apart; the whole is copied. */
const shown = 12

const Digest = ({ of }: { of: string }) => (
  <span className="flex items-center gap-1">
    <span className="font-mono text-xs" title={of}>
      {of.replace(/^(sha256:)?(.*)$/, (_, kind: string | undefined, hex: string) => (kind ?? '') + hex.slice(0, shown))}
    </span>
    <CopyButton text={of} what="the digest" />
  </span>
)

type Warning = VersionRecord['provenance']['warnings'][number]

const Warnings = ({ warnings }: { warnings: readonly Warning[] }) => (
  <details className="text-sm">
    <summary className="w-fit cursor-pointer font-medium">
      {count(warnings.length, 'conversion warning', 'conversion warnings')}
    </summary>
    <ul className="mt-2 grid gap-2">
      {warnings.map((warning) => (
        <li key={warning.code + warning.pointer + warning.message} className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
          <span className="font-mono text-xs text-warn">{warning.code}</span>
          <span className="wrap-anywhere">{warning.message}</span>
          <span className="font-mono text-xs break-all text-soft">
            {warning.pointer === '' ? 'whole document' : warning.pointer}
          </span>
        </li>
      ))}
    </ul>
  </details>
)

type OverlayLineage = NonNullable<VersionRecord['provenance']['lineage']>

const LineageText = ({ at, digest, name }: { at: VersionRef; digest: string; name: string }) => {
  const download = useDownload()
  return (
    <>
      <Button
        busy={download.isPending}
        aria-label={`Download ${name}`}
        onClick={() =>
          download.mutate({
            name: name.split('/').at(-1) ?? name,
            type: /\.json$/i.test(name) ? 'application/json' : 'application/yaml',
            read: async () => (await callText(versionsApi.lineage, { params: { ...versionParams(at), digest } })).text,
          })
        }
      >
        Download
      </Button>
      {download.error ? <Failure error={download.error} /> : null}
    </>
  )
}

/** The document ahead of its overlays, and each overlay in the order in which it was applied. */
const Lineage = ({ at, lineage }: { at: VersionRef; lineage: OverlayLineage }) => (
  <details className="text-sm" open>
    <summary className="w-fit cursor-pointer font-medium">
      {count(lineage.overlays.length, 'overlay', 'overlays')}
    </summary>
    <ol className="mt-2 grid gap-3">
      <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <span className="grid gap-0.5">
          <span>Document before overlays</span>
          <Digest of={lineage.base_digest} />
        </span>
        <LineageText at={at} digest={lineage.base_digest} name="before-overlays.yaml" />
      </li>
      {lineage.overlays.map((overlay, index) => (
        <li key={`${index} ${overlay.digest}`} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
          <span className="grid gap-0.5">
            <span className="wrap-anywhere">{overlay.title}</span>
            <span className="text-xs wrap-anywhere text-soft">
              {overlay.source}: {count(overlay.actions, 'action', 'actions')},{' '}
              {count(overlay.matches, 'place', 'places')}
            </span>
            <Digest of={overlay.digest} />
          </span>
          <LineageText at={at} digest={overlay.digest} name={overlay.source} />
        </li>
      ))}
    </ol>
  </details>
)

/** Where a version came from: its source, what read it, and what reading it could not keep. */
export const OriginSection = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const { provenance: it, digest, size_bytes: size, created_at: created, format } = record
  return (
    // Asked for seldom: folded, unless an address leads to it.
    <details id="origin" className="card scroll-mt-20" open={location.hash === '#origin'}>
      <summary className="cursor-pointer px-4 py-2.5">
        <h2 className="inline font-semibold">Origin</h2>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t p-4">
        <Facts
          facts={[
            [
              'Source',
              <span key="source" className="break-all">
                {it.source}
              </span>,
            ],
            ['Commit', it.commit === null ? null : <Digest key="commit" of={it.commit} />],
            ['Digest', <Digest key="source-digest" of={it.digest} />],
            // The source and what is stored are the same bytes unless something was converted or edited.
            ['Stored digest', digest === it.digest ? null : <Digest key="digest" of={digest} />],
            [
              'Importer',
              <span key="importer" className="font-mono text-xs">
                {it.importer}
              </span>,
            ],
            ['Imported', <Moment key="imported" at={it.imported_at} />],
            ['Format', `${format.kind} ${format.version}`],
            ['Size', `${size.toLocaleString()} bytes`],
            ['Created', <Moment key="made" at={created} />],
          ]}
        />
        {it.lineage === undefined ? null : <Lineage at={at} lineage={it.lineage} />}
        {it.warnings.length === 0 ? (
          <p className="text-sm text-soft">No information was lost in conversion.</p>
        ) : (
          <Warnings warnings={it.warnings} />
        )}
        <CommandHint command={svcCommand(at.tenant, ['version', 'show', at.project, at.version])} />
      </div>
    </details>
  )
}
