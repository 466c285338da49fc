import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { CanIDeploy } from '../../../../src/api/consumer-shapes.ts'
import { type Change, comparisonQuery, type Pair, type StoredRef } from '../comparison/queries.ts'
import { canIDeployQuery, consumerQuery, type ConsumerRef } from './queries.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { capitalized, count } from '../../parts/text.ts'
import { Section, Words } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { allVersionsQuery } from '../catalog/versions.ts'
import type { ChangeContext } from '../comparison/change-proof.tsx'
import { impactTones, impactWords } from '../comparison/change-row.tsx'
import { ChangeList } from '../comparison/change-list.tsx'
import { UnresolvedList } from './unresolved-list.tsx'
import { filterChanges, groupChanges } from '../comparison/changes.ts'
import { VersionPicker } from '../catalog/pickers.tsx'

/** The changes that a consumer sees. */
const Touching = ({ changes, total, around }: { changes: readonly Change[]; total: number; around: ChangeContext }) => {
  const [chosen, setChosen] = useState<string | null>(null)
  const groups = useMemo(() => groupChanges(changes), [changes])
  return (
    <>
      <p role="status" className="text-sm text-soft">
        {changes.length.toLocaleString()} of {count(total, 'change', 'changes')} affect this consumer
      </p>
      <ChangeList groups={groups} around={around} chosen={chosen} onChoose={setChosen} />
    </>
  )
}

const looks: Record<CanIDeploy['answer'], string> = {
  yes: 'border-ok bg-ok-wash text-ok',
  no: 'border-transparent bg-danger-wash',
  unknown: 'border-transparent bg-warn-wash',
}

const Answer = ({ answer }: { answer: CanIDeploy }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
    <div role="status" className={`card grid gap-0.5 px-4 py-3 ${looks[answer.answer]}`}>
      <p className="text-lg font-semibold">{capitalized(answer.answer)}</p>
      <p className="text-sm break-words">
        <Words of={answer.message} />
      </p>
      {answer.missing === null ? null : (
        <p className="text-sm break-words">
          Missing: <Words of={answer.missing} />.
        </p>
      )}
    </div>
    <UnresolvedList items={answer.reasons} />
    {answer.changes.length === 0 ? null : (
      <ul className="card divide-y" aria-label="Deciding changes">
        {answer.changes.slice(0, 50).map((change) => (
          <li key={change.fingerprint} className="grid gap-1 px-4 py-2.5 text-sm">
            <p className="flex flex-wrap items-center gap-2">
              {change.classification === 'unknown' ? (
                <Badge tone="warn">undecided</Badge>
              ) : (
                <Severity severity="breaking" />
              )}
              <code className="font-mono text-xs text-soft">{change.id}</code>
            </p>
            <p className="break-words">
              <Words of={change.message} />
            </p>
            <p className="font-mono text-xs break-all text-soft">{change.operations.slice(0, 5).join(', ')}</p>
          </li>
        ))}
        {answer.changes.length > 50 ? (
          <li className="px-4 py-2.5 text-sm text-soft">… and {count(answer.changes.length - 50, 'more', 'more')}</li>
        ) : null}
      </ul>
    )}
  </div>
)

const Deploy = ({ at, version }: { at: ConsumerRef; version: string }) => {
  const answer = useQuery(canIDeployQuery(at, version))
  return (
    <Read query={answer} what="the answer">
      {(it) => <Answer answer={it} />}
    </Read>
  )
}

/** What one comparison means for one consumer. */
const Between = ({ at, handle, pair }: { at: ConsumerRef; handle: string; pair: Pair }) => {
  const compared = useQuery(comparisonQuery(pair, true))
  return (
    <Read query={compared} what="the comparison">
      {({ base, head, changes, consumers }) => {
        const own = consumers?.consumers.find((it) => it.handle === handle)
        if (own === undefined)
          return (
            <Empty title="Unknown">
              <p>This consumer has not declared what it uses.</p>
            </Empty>
          )
        const touching = filterChanges(changes, { kind: null, consumer: handle, q: '', at: null })
        return (
          <>
            <p className="flex flex-wrap items-center gap-2 text-sm">
              <Badge tone={impactTones[own.status]}>{impactWords[own.status]}</Badge>
              {touching.length === 0
                ? `None of ${count(changes.length, 'change', 'changes')} affects this consumer.`
                : null}
            </p>
            <UnresolvedList items={own.reasons} />
            {touching.length === 0 ? null : (
              <Touching
                changes={touching}
                total={changes.length}
                around={{
                  tenant: at.tenant,
                  base,
                  head,
                  sides: { base: pair.base, head: pair.head },
                  consumers: new Map([[handle, own]]),
                  onPastedLine: () => {},
                }}
              />
            )}
          </>
        )
      }}
    </Read>
  )
}

/** What a comparison means for a consumer, where there is one to make. */
const Effect = ({
  at,
  consumer,
  pair,
}: {
  at: ConsumerRef
  consumer: { readonly handle: string; readonly retired_at: string | null }
  pair: VersionPair
}) => {
  if (consumer.retired_at !== null)
    return (
      <Empty title="Consumer retired">
        <p>Comparisons only include active consumers.</p>
      </Empty>
    )
  if (pair.base.version === pair.head.version)
    return (
      <Empty title="Same version twice">
        <p>Choose two different versions.</p>
      </Empty>
    )
  return <Between at={at} handle={consumer.handle} pair={pair} />
}

interface VersionPair extends Pair {
  readonly head: StoredRef
}

export interface ChosenVersions {
  readonly base?: string
  readonly head?: string
  readonly deploy?: string
}

/** Whether a version keeps what a consumer uses, and what a comparison of any two means for it. */
export const ImpactView = ({ at, chosen }: { at: ConsumerRef; chosen: ChosenVersions }) => {
  const { filter } = useAddress()
  const consumer = useQuery(consumerQuery(at))
  const versions = useQuery(allVersionsQuery(at.tenant, at.project))
  const pick = (label: string, value: string, word: 'base' | 'head' | 'deploy') => (
    <VersionPicker
      tenant={at.tenant}
      project={at.project}
      label={label}
      value={value}
      onChoose={(next) => filter({ [word]: next })}
    />
  )
  return (
    <Read query={consumer} what="the consumer">
      {({ consumer: record, contract }) => (
        <Read query={versions} what="the versions">
          {({ items }) => {
            const newest = items[0]?.slug
            if (newest === undefined)
              return (
                <Empty title="No versions yet">
                  <p>Import a version to check it against this consumer.</p>
                </Empty>
              )
            const declared = items.find((one) => one.label === contract?.version_label)?.slug
            const { deploy = newest, head = newest, base = declared ?? items[1]?.slug ?? newest } = chosen
            const pair: VersionPair = {
              tenant: at.tenant,
              base: { project: at.project, version: base },
              head: { project: at.project, version: head },
            }
            return (
              <>
                <Section
                  title="Can a version be deployed?"
                  description="Answers yes, no or unknown. Unknown is never treated as safe."
                  actions={
                    <CommandHint command={svcCommand(at.tenant, ['can-i-deploy', at.project, at.consumer, deploy])} />
                  }
                >
                  <div className="max-w-md">{pick('Version to deploy', deploy, 'deploy')}</div>
                  <Deploy at={at} version={deploy} />
                </Section>
                <Section
                  title="Effect of a comparison"
                  description="Only the changes of operations and fields that the consumer uses."
                >
                  <div className="grid max-w-2xl gap-3 sm:grid-cols-2">
                    {pick('From', base, 'base')}
                    {pick('To', head, 'head')}
                  </div>
                  <Effect key={`${base} ${head}`} at={at} consumer={record} pair={pair} />
                </Section>
              </>
            )
          }}
        </Read>
      )}
    </Read>
  )
}
