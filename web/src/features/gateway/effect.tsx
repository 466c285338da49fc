import { useId } from 'react'
import type { SecurityChange, SecurityPreview } from '../../../../src/api/gateway-shapes.ts'
import { Badge } from '../../parts/badge.tsx'
import { effectSentences } from '../../../../src/gateway-policy/door.ts'
import { count } from '../../parts/text.ts'
import { Moment, Words } from '../../parts/page.tsx'

/** What a change does, in sentences, with what makes it risky. */
export const ChangeList = ({ changes }: { changes: readonly SecurityChange[] }) => (
  <ul className="grid gap-1.5 text-sm" aria-label="Changes">
    {changes.map(({ setting, sentence, risk }) => (
      <li key={`${setting} ${sentence}`} className="grid gap-0.5">
        <span className="wrap-anywhere">
          <Words of={sentence} />
        </span>
        {risk === null ? null : (
          <span className="flex flex-wrap items-baseline gap-2 text-soft">
            <Badge tone="warn">risky</Badge>
            <Words of={risk} />
          </span>
        )}
      </li>
    ))}
  </ul>
)

/** What becomes of the requests of a route. */
const outcomes = (preview: Pick<SecurityPreview, 'newlyBlocked' | 'newlyAllowed' | 'unknown'>): string =>
  [
    preview.newlyBlocked > 0 && `${preview.newlyBlocked.toLocaleString()} more refused`,
    preview.newlyAllowed > 0 && `${preview.newlyAllowed.toLocaleString()} more let through`,
    preview.unknown > 0 && `${preview.unknown.toLocaleString()} undecided`,
  ]
    .filter((word) => word !== false)
    .join(', ')

const touched = (it: { readonly newlyBlocked: number; readonly newlyAllowed: number; readonly unknown: number }) =>
  it.newlyBlocked + it.newlyAllowed + it.unknown > 0

/** Recorded requests as one bar: what stays as it is, and hatched what the change would make otherwise. */
const EffectBar = ({ of: preview }: { of: SecurityPreview }) => {
  const id = useId()
  const parts = [
    { name: 'as before', n: preview.unchanged, fill: 'currentColor', look: 'text-line' },
    { name: 'would be refused', n: preview.newlyBlocked, fill: `url(#${id}-refused)`, look: 'text-danger' },
    { name: 'would pass', n: preview.newlyAllowed, fill: `url(#${id}-passed)`, look: 'text-warn' },
    { name: 'undecided', n: preview.unknown, fill: 'currentColor', look: 'text-soft' },
  ].filter(({ n }) => n > 0)
  const total = parts.reduce((sum, { n }) => sum + n, 0)
  if (total === 0) return null
  const words = parts.map(({ name, n }) => `${n.toLocaleString()} ${name}`)
  let from = 0
  return (
    <figure className="grid gap-1">
      <svg
        role="img"
        aria-label={`${count(total, 'recorded request', 'recorded requests')}: ${words.join(', ')}.`}
        viewBox="0 0 600 12"
        preserveAspectRatio="none"
        className="h-3 w-full"
      >
        <defs>
          {(['refused', 'passed'] as const).map((kind) => (
            <pattern
              key={kind}
              id={`${id}-${kind}`}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect
                width="3"
                height="6"
                fill="currentColor"
                className={kind === 'refused' ? 'text-danger' : 'text-warn'}
              />
            </pattern>
          ))}
        </defs>
        {parts.map(({ name, n, fill, look }) => {
          const wide = Math.max(3, (n / total) * 600)
          const at = Math.min(from, 600 - wide)
          from += wide
          return <rect key={name} x={at} width={wide} height="12" fill={fill} className={look} />
        })}
      </svg>
      <figcaption className="text-xs text-soft">{words.join(' · ')}</figcaption>
    </figure>
  )
}

/** What a change does to the requests that gateways recorded, beside what the policy in force does to them. */
export const Effect = ({ of: preview }: { of: SecurityPreview }) => {
  const routes = preview.byRoute.filter(touched)
  const [does, doubt] = effectSentences(preview)
  return (
    <div className="grid gap-2 text-sm" role="group" aria-label="Effect on recorded events">
      {preview.events === 0 ? (
        <p>
          <span className="font-medium">Nothing was recorded in the last 7 days:</span> what the change would have done
          is unknown.
        </p>
      ) : (
        <>
          <p className="font-medium">{does}</p>
          {doubt === undefined ? null : <p className="text-warn">{doubt}</p>}
          <EffectBar of={preview} />
        </>
      )}
      {routes.length === 0 ? null : (
        <ul className="grid gap-0.5 text-soft" aria-label="By route">
          {routes.map((it) => (
            <li key={it.route ?? ''} className="wrap-anywhere">
              <code className="font-mono text-xs text-ink">{it.route ?? 'no known route'}</code>: {outcomes(it)}
            </li>
          ))}
        </ul>
      )}
      {preview.samples.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer text-soft">{count(preview.samples.length, 'example', 'examples')}</summary>
          <ul className="mt-1 grid gap-0.5 text-xs text-soft">
            {preview.samples.map((it) => (
              <li key={it.eventId} className="wrap-anywhere">
                <Moment at={it.at} exact /> {it.method} {it.route ?? ''} ({it.ruleRef}): {it.before} → {it.after}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
