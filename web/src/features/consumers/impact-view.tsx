import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { CanIDeploy } from '../../../../src/api/consumer-shapes.ts'
import { type Change, comparisonQuery, type Pair, type StoredRef } from '../comparison/queries.ts'
import { answerWith, type ShortAnswer } from './impact-answer.ts'
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

/** The changes that the answer rests on, where there is no comparison that lists them. */
const Deciding = ({ changes }: Pick<CanIDeploy, 'changes'>) =>
  changes.length === 0 ? null : (
    <ul className="card divide-y" aria-label="Deciding changes">
      {changes.slice(0, 50).map((change) => (
        <li key={change.fingerprint} className="grid gap-1 px-4 py-2.5 text-sm">
          <p className="flex flex-wrap items-baseline gap-2">
            {change.classification === 'unknown' ? (
              <Badge tone="warn">undecided</Badge>
            ) : (
              <Severity severity="breaking" />
            )}
            <span className="min-w-0 break-words">
              <Words of={change.message} />
            </span>
          </p>
          <p className="font-mono text-xs break-all text-soft">{change.operations.slice(0, 5).join(', ')}</p>
        </li>
      ))}
      {changes.length > 50 ? (
        <li className="px-4 py-2.5 text-sm text-soft">… and {count(changes.length - 50, 'more', 'more')}</li>
      ) : null}
    </ul>
  )

const Verdict = ({ of: { answer, message, missing } }: { of: ShortAnswer }) => (
  <div role="status" className={`card grid gap-0.5 px-4 py-3 ${looks[answer]}`}>
    <p className="text-lg font-semibold">{capitalized(answer)}</p>
    <p className="text-sm break-words">
      <Words of={message} />
    </p>
    {missing === null ? null : (
      <p className="text-sm break-words">
        Missing: <Words of={missing} />.
      </p>
    )}
  </div>
)

/** Whether a version keeps what a consumer uses, what it does not have, and the changes that the consumer sees. */
const Answer = ({
  at,
  consumer,
  pair,
}: {
  at: ConsumerRef
  consumer: { readonly handle: string; readonly retired_at: string | null }
  pair: VersionPair
}) => {
  const answer = useQuery(canIDeployQuery(at, pair.head.version))
  const isCompared = consumer.retired_at === null && pair.base.version !== pair.head.version
  const compared = useQuery({ ...comparisonQuery(pair, true), enabled: isCompared })
  const both = {
    ...answer,
    error: answer.error ?? compared.error,
    data: answer.data && (compared.data !== undefined || !isCompared) ? { answer: answer.data } : undefined,
  }
  return (
    <Read query={both} what="the answer">
      {({ answer: given }) => {
        const own = compared.data?.consumers?.consumers.find((it) => it.handle === consumer.handle)
        const touching = compared.data
          ? filterChanges(compared.data.changes, { kind: null, consumer: consumer.handle, q: '', at: null })
          : []
        return (
          <>
            <Verdict of={answerWith(given, own, compared.data?.head.label ?? pair.head.version)} />
            <UnresolvedList items={given.reasons.length > 0 ? given.reasons : (own?.reasons ?? [])} />
            {compared.data === undefined || touching.length === 0 ? (
              <Deciding changes={given.changes} />
            ) : (
              <Touching
                changes={touching}
                total={compared.data.changes.length}
                around={{
                  tenant: at.tenant,
                  base: compared.data.base,
                  head: compared.data.head,
                  sides: { base: pair.base, head: pair.head },
                  consumers: new Map(own === undefined ? [] : [[consumer.handle, own]]),
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

interface VersionPair extends Pair {
  readonly head: StoredRef
}

export interface ChosenVersions {
  readonly base?: string
  readonly head?: string
  readonly deploy?: string
}

/** Whether a version can be deployed as far as a consumer goes: one version is chosen, one answer is given. */
export const ImpactView = ({ at, chosen }: { at: ConsumerRef; chosen: ChosenVersions }) => {
  const { filter } = useAddress()
  const consumer = useQuery(consumerQuery(at))
  const versions = useQuery(allVersionsQuery(at.tenant, at.project))
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
            const head = chosen.deploy ?? chosen.head ?? newest
            const base = chosen.base ?? declared ?? items[1]?.slug ?? newest
            const pair: VersionPair = {
              tenant: at.tenant,
              base: { project: at.project, version: base },
              head: { project: at.project, version: head },
            }
            return (
              <Section
                title="Can a version be deployed?"
                description={
                  declared === undefined
                    ? 'Unknown is never treated as safe.'
                    : `Compared with ${contract?.version_label ?? ''}, which its contract was declared against. Unknown is never treated as safe.`
                }
                actions={
                  <CommandHint command={svcCommand(at.tenant, ['can-i-deploy', at.project, at.consumer, head])} />
                }
              >
                <div className="max-w-md">
                  <VersionPicker
                    tenant={at.tenant}
                    project={at.project}
                    label="Version to deploy"
                    value={head}
                    // Links of before named two versions to compare.
                    onChoose={(deploy) => filter({ deploy, base: '', head: '' })}
                  />
                </div>
                <Answer key={`${base} ${head}`} at={at} consumer={record} pair={pair} />
              </Section>
            )
          }}
        </Read>
      )}
    </Read>
  )
}
