import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Attention, AttentionKind } from '../../../../src/api/home.ts'
import { daysUntil } from '../../parts/ago.ts'
import { Grade, Severity } from '../../parts/badge.tsx'
import { count } from '../../parts/count.ts'
import { Day, Moment, Words } from '../../parts/page.tsx'
import { type ListedKind, listedKinds } from './kinds.ts'
import { names } from './words.ts'

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
  | '/t/$tenant/$project/$version/review'
  | '/t/$tenant/$project/$version/repository'

/** A version by its project and label, as the link to the page on which one does something about it. */
const VersionLink = ({ tenant, it, to }: { tenant: string; it: Named; to: VersionPage }) => (
  <Link
    to={to}
    params={{ tenant, project: it.project_slug, version: it.version_slug }}
    className="min-w-0 font-medium wrap-anywhere hover:underline"
  >
    {it.project_name} <span className="font-mono text-[0.9em]">{it.label}</span>
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

const SunsetWords = ({ at }: { at: string }) => {
  const days = daysUntil(at, Date.now())
  return (
    <>
      {days < 0
        ? 'Sunset has passed: '
        : days === 0
          ? 'Sunset is today: '
          : `Sunset in ${count(days, 'day', 'days')}: `}
      <Day at={at} />
    </>
  )
}

/** How one item of each kind is drawn. */
const drawn: { readonly [K in AttentionKind]: (tenant: string, it: Items<K>) => ReactNode } = {
  blocked: (tenant, it) => (
    <Row
      key={`${it.project_slug} ${it.label}`}
      head={<VersionLink tenant={tenant} it={it} to="/t/$tenant/$project/$version" />}
    >
      <Words of={it.failed[0]?.message ?? ''} />
      {it.failed.length > 1 ? ` And ${count(it.failed.length - 1, 'more gate', 'more gates')}.` : ''}
    </Row>
  ),
  breaking: (tenant, it) => (
    <Row
      key={`${it.project_slug} ${it.label}`}
      head={<VersionLink tenant={tenant} it={it} to="/t/$tenant/$project/$version/changes" />}
    >
      {count(it.breaking, 'breaking change', 'breaking changes')} since {it.base_label}
      {it.affected.length === 0 ? ', no known consumer affected' : `, affects ${listOf(it.affected)}`}
    </Row>
  ),
  grades: (tenant, it) => (
    <Row
      key={`${it.project_slug} ${it.label}`}
      head={
        <span className="flex items-start gap-2">
          <Grade grade={it.grade} />
          <VersionLink tenant={tenant} it={it} to="/t/$tenant/$project/$version/findings" />
        </span>
      }
    >
      {[
        it.before === null ? '' : `${it.before.label} had ${it.before.grade}`,
        it.minimum === null ? '' : `the policy asks for ${it.minimum}`,
      ]
        .filter((part) => part !== '')
        .join('; ')}
    </Row>
  ),
  reviews: (tenant, it) => (
    <Row
      key={`${it.project_slug} ${it.label}`}
      head={<VersionLink tenant={tenant} it={it} to="/t/$tenant/$project/$version/review" />}
    >
      Requested by {it.requested_by ?? 'the service'}, <Moment at={it.requested_at} />
    </Row>
  ),
  candidates: (tenant, it) => (
    <Row
      key={it.candidate_id}
      head={
        <span className="flex flex-wrap items-center gap-x-2">
          <VersionLink tenant={tenant} it={it} to="/t/$tenant/$project/$version/repository" />
          {it.severity === null ? null : <Severity severity={it.severity} />}
        </span>
      }
    >
      {it.repository}, <Moment at={it.detected_at} />
    </Row>
  ),
  drift: (tenant, it) => (
    <Row
      key={it.endpoint_id}
      head={
        <Link
          to="/t/$tenant/-/mcp-servers/$endpoint/changes"
          params={{ tenant, endpoint: it.endpoint_id }}
          className="font-medium break-words hover:underline"
        >
          {it.name}
        </Link>
      }
    >
      Its tools differ from what was approved
    </Row>
  ),
  gateways: (tenant, it) => (
    <Row
      key={it.enforcer_id}
      head={
        <Link
          to="/t/$tenant/-/gateway/$environment/gateways"
          params={{ tenant, environment: it.environment_slug }}
          className="font-medium break-words hover:underline"
        >
          {it.label}
        </Link>
      }
    >
      {it.environment_name}, last heard of <Moment at={it.last_seen_at} />
    </Row>
  ),
  sunsets: (tenant, it) => (
    <Row
      key={`${it.project_slug} ${it.label}`}
      head={<VersionLink tenant={tenant} it={it} to="/t/$tenant/$project/$version" />}
    >
      <SunsetWords at={it.sunset_at} />
    </Row>
  ),
  keys: (tenant, it) => (
    <Row
      key={it.id}
      head={
        it.kind === 'api-key' ? (
          <Link
            to="/t/$tenant/-/keys"
            params={{ tenant }}
            search={{ dialog: 'rotate', item: it.id }}
            className="font-medium break-words hover:underline"
          >
            Rotate {it.name}
          </Link>
        ) : (
          <Link to="/t/$tenant/-/keys" params={{ tenant }} className="font-medium break-words hover:underline">
            {it.name}
          </Link>
        )
      }
    >
      {it.kind === 'api-key' ? 'API key' : 'Agent key'}, expires <Moment at={it.expires_at} />
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
  if (kind === 'drift')
    return (
      <Link to="/t/$tenant/-/mcp-servers" params={params} search={{ state: 'drifted' }} className={className}>
        {children}
      </Link>
    )
  if (kind === 'gateways')
    return (
      <Link to="/t/$tenant/-/gateway" params={params} className={className}>
        {children}
      </Link>
    )
  const to =
    kind === 'reviews' ? '/t/$tenant/-/reviews' : kind === 'keys' ? '/t/$tenant/-/keys' : '/t/$tenant/-/repositories'
  return (
    <Link to={to} params={params} className={className}>
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
