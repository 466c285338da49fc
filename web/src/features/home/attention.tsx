import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Attention, AttentionKind } from '../../../../src/api/home.ts'
import { daysUntil } from '../../parts/time.ts'
import { Grade } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Day, Moment, Words } from '../../parts/page.tsx'
import { type ListedKind, listedKinds, names } from './words.ts'

type Items<K extends AttentionKind> = NonNullable<Attention[K]>['items'][number]

interface Named {
  readonly project_slug: string
  readonly project_name: string
  readonly version_slug: string
  readonly label: string
}

type VersionPage =
  | '/t/$tenant/$project/$version'
  | '/t/$tenant/$project/$version/findings'
  | '/t/$tenant/$project/$version/changes'

/** A version by its project and label, as the link to the page on which one does something about it. */
const VersionLink = ({ tenant, version, to }: { tenant: string; version: Named; to: VersionPage }) => (
  <Link
    to={to}
    params={{ tenant, project: version.project_slug, version: version.version_slug }}
    className="min-w-0 font-medium wrap-anywhere hover:underline"
  >
    {version.project_name} <span className="font-mono text-[0.9em]">{version.label}</span>
  </Link>
)

const Row = ({ head, children }: { head: ReactNode; children: ReactNode }) => (
  <li className="grid grid-cols-[minmax(0,1fr)] gap-0.5 text-sm">
    <div className="min-w-0">{head}</div>
    <div className="text-soft wrap-anywhere">{children}</div>
  </li>
)

const mostNamed = 3
const listOf = (handles: readonly string[]): string =>
  handles.slice(0, mostNamed).join(', ') + (handles.length > mostNamed ? ` and ${handles.length - mostNamed} more` : '')

const sunsetWords = (days: number): string => {
  if (days < 0) return 'Sunset has passed: '
  return days === 0 ? 'Sunset is today: ' : `Sunset in ${count(days, 'day', 'days')}: `
}

const SunsetWords = ({ at }: { at: string }) => {
  const days = daysUntil(at, Date.now())
  return (
    <>
      {sunsetWords(days)}
      <Day at={at} />
    </>
  )
}

/** How one item of each kind is drawn. */
const drawn: { readonly [K in AttentionKind]: (tenant: string, it: Items<K>) => ReactNode } = {
  blocked: (tenant, draft) => (
    <Row
      key={`${draft.project_slug} ${draft.label}`}
      head={<VersionLink tenant={tenant} version={draft} to="/t/$tenant/$project/$version" />}
    >
      <Words of={draft.failed[0]?.message ?? ''} />
      {draft.failed.length > 1 ? ` And ${count(draft.failed.length - 1, 'more gate', 'more gates')}.` : ''}
    </Row>
  ),
  breaking: (tenant, draft) => (
    <Row
      key={`${draft.project_slug} ${draft.label}`}
      head={<VersionLink tenant={tenant} version={draft} to="/t/$tenant/$project/$version/changes" />}
    >
      {count(draft.breaking, 'breaking change', 'breaking changes')} since {draft.base_label}
      {draft.affected.length === 0 ? ', no known consumer affected' : `, affects ${listOf(draft.affected)}`}
    </Row>
  ),
  grades: (tenant, version) => (
    <Row
      key={`${version.project_slug} ${version.label}`}
      head={
        <span className="flex items-start gap-2">
          <Grade grade={version.grade} />
          <VersionLink tenant={tenant} version={version} to="/t/$tenant/$project/$version/findings" />
        </span>
      }
    >
      {[
        version.before === null ? '' : `${version.before.label} had ${version.before.grade}`,
        version.minimum === null ? '' : `the policy asks for ${version.minimum}`,
      ]
        .filter((part) => part !== '')
        .join('; ')}
    </Row>
  ),
  gateways: (tenant, gateway) => (
    <Row
      key={gateway.enforcer_id}
      head={
        <Link
          to="/t/$tenant/-/gateway/$environment/gateways"
          params={{ tenant, environment: gateway.environment_slug }}
          className="font-medium break-words hover:underline"
        >
          {gateway.label}
        </Link>
      }
    >
      {gateway.environment_name}, last report <Moment at={gateway.last_seen_at} />
    </Row>
  ),
  sunsets: (tenant, version) => (
    <Row
      key={`${version.project_slug} ${version.label}`}
      head={<VersionLink tenant={tenant} version={version} to="/t/$tenant/$project/$version" />}
    >
      <SunsetWords at={version.sunset_at} />
    </Row>
  ),
  keys: (tenant, entry) => (
    <Row
      key={entry.id}
      head={
        entry.kind === 'api-key' ? (
          <Link
            to="/t/$tenant/-/keys"
            params={{ tenant }}
            search={{ dialog: 'rotate', item: entry.id }}
            className="font-medium break-words hover:underline"
          >
            Rotate {entry.name}
          </Link>
        ) : (
          <Link to="/t/$tenant/-/keys" params={{ tenant }} className="font-medium break-words hover:underline">
            {entry.name}
          </Link>
        )
      }
    >
      {entry.kind === 'api-key' ? 'API key' : 'Agent key'}, expires <Moment at={entry.expires_at} />
    </Row>
  ),
}

/** Any of the kinds, as what they have in common. */
interface AnyCard {
  readonly count: number
  readonly items: readonly unknown[]
}

/** The items of one kind. */
export const Items = ({ tenant, kind, card }: { tenant: string; kind: AttentionKind; card: AnyCard }) => {
  const draw = drawn[kind] as (tenant: string, it: unknown) => ReactNode
  return <ul className="grid grid-cols-[minmax(0,1fr)] gap-2.5">{card.items.map((it) => draw(tenant, it))}</ul>
}

const isListed = (kind: AttentionKind): kind is ListedKind => listedKinds.some((it) => it === kind)

/** The whole list of one kind: a view of this page, or the page that is about such things. */
const AllLink = ({ tenant, kind, children }: { tenant: string; kind: AttentionKind; children: ReactNode }) => {
  const className = 'rounded after:absolute after:inset-0 after:rounded-[0.625rem] hover:underline'
  const params = { tenant }
  if (isListed(kind))
    return (
      <Link to="/t/$tenant/-/home" params={params} search={{ show: kind }} className={className}>
        {children}
      </Link>
    )
  if (kind === 'gateways')
    return (
      <Link to="/t/$tenant/-/gateway" params={params} className={className}>
        {children}
      </Link>
    )
  return (
    <Link to="/t/$tenant/-/keys" params={params} className={className}>
      {children}
    </Link>
  )
}

const tones: Partial<Record<AttentionKind, string>> = {
  blocked: 'text-danger',
  breaking: 'text-danger',
  gateways: 'text-danger',
}

/** One kind with its count, which leads to the whole list, and its first items. */
export const AttentionCard = ({ tenant, kind, card }: { tenant: string; kind: AttentionKind; card: AnyCard }) => (
  <section className="card grid grid-cols-[minmax(0,1fr)] content-start gap-3 p-4 hover:border-edge">
    <h3 className="flex items-baseline gap-2 text-sm font-medium text-soft">
      <AllLink tenant={tenant} kind={kind}>
        <span className={`mr-2 text-2xl font-semibold tabular-nums ${tones[kind] ?? 'text-ink'}`}>
          {card.count.toLocaleString()}
        </span>{' '}
        {names[kind]}
      </AllLink>
    </h3>
    <div className="relative z-10 [&_a]:relative">
      <Items tenant={tenant} kind={kind} card={card} />
    </div>
    {card.count > card.items.length ? (
      <p className="text-sm text-soft" aria-hidden="true">
        {count(card.count - card.items.length, 'more', 'more')}
      </p>
    ) : null}
  </section>
)
