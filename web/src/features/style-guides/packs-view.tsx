import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { PolicyPack } from '../../../../src/api/style-guide-shapes.ts'
import type { Output } from '../../../../src/api/endpoint.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { Snippet, svcCommand } from '../../parts/copy.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { TextDiff } from '../../parts/text-diff.tsx'
import { comparePacks, type PackChange } from './pack-diff.ts'
import { useGuide } from './style-guide-page.tsx'
import { guideParams, type GuideRef } from '../lint/queries.ts'
import { packQuery, packsQuery, refreshGuides } from './queries.ts'

type PackHead = Output<typeof styleGuidesApi.policyVersions>['items'][number]

const Value = ({ kind, value }: { kind: 'before' | 'after'; value: string | null }) =>
  kind === 'before' ? (
    <del className="rounded bg-danger-wash px-1 text-danger no-underline">
      <span className="sr-only">before: </span>
      {value ?? 'none'}
    </del>
  ) : (
    <ins className="rounded bg-ok-wash px-1 text-ok no-underline">
      <span className="sr-only">after: </span>
      {value ?? 'removed'}
    </ins>
  )

const Changes = ({ title, changes }: { title: string; changes: readonly PackChange[] }) =>
  changes.length === 0 ? null : (
    <Section title={`${title} (${changes.length.toLocaleString()})`}>
      <dl className="card divide-y text-sm">
        {changes.map((change) => (
          <div
            key={change.what}
            className="grid gap-x-4 gap-y-0.5 px-4 py-1.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
          >
            <dt className="min-w-0 font-mono text-xs leading-5 break-all">{change.what}</dt>
            <dd className="min-w-0 break-words">
              <Value kind="before" value={change.before} /> <span aria-hidden="true">→</span>{' '}
              <Value kind="after" value={change.after} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )

const Comparison = ({ before, after }: { before: PolicyPack; after: PolicyPack }) => {
  const { facts, rules, policy } = comparePacks(before, after)
  const sameText = before.customRulesYaml === after.customRulesYaml
  const total = facts.length + rules.length + policy.length
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <p role="status" className="font-medium">
        From snapshot {before.version} to snapshot {after.version}:{' '}
        {total === 0 && sameText
          ? 'no differences'
          : `${count(rules.length, 'rule', 'rules')} and ${count(policy.length, 'policy setting', 'policy settings')} changed`}
      </p>
      <Changes title="Name and description" changes={facts} />
      <Changes title="Rules" changes={rules} />
      <Changes title="Policy" changes={policy} />
      <TextDiff
        title="Custom rules"
        label="Changed lines of the custom rules"
        before={before.customRulesYaml}
        after={after.customRulesYaml}
      />
    </div>
  )
}

const Compared = ({ at, from, to }: { at: GuideRef; from: PackHead; to: PackHead }) => {
  const before = useQuery(packQuery(at, from.id))
  const after = useQuery(packQuery(at, to.id))
  return (
    <Read query={before} what={`snapshot ${from.version}`}>
      {(before) => (
        <Read query={after} what={`snapshot ${to.version}`}>
          {(after) => <Comparison before={before} after={after} />}
        </Read>
      )}
    </Read>
  )
}

const PackSelect = ({
  label,
  value,
  packs,
  onChange,
}: {
  label: string
  value: number
  packs: readonly PackHead[]
  onChange: (version: string) => void
}) => (
  <label className="flex items-center gap-2 text-sm">
    {label}
    <select className="field w-auto max-w-72 min-w-0" value={value} onChange={(event) => onChange(event.target.value)}>
      {packs.map((it) => (
        <option key={it.id} value={it.version}>
          snapshot {it.version}
        </option>
      ))}
    </select>
  </label>
)

/** Two packs beside each other, unasked the newest and the one before it. */
const Difference = ({
  at,
  packs,
  from,
  to,
}: {
  at: GuideRef
  packs: readonly PackHead[]
  from: number
  to: number
}) => {
  const { filter } = useAddress()
  const after = packs.find((it) => it.version === to) ?? packs[0]
  const before = packs.find((it) => it.version === from) ?? packs.find((it) => it !== after)
  if (!before || !after) return null
  return (
    <Section
      title="What changed"
      actions={
        <div className="flex flex-wrap gap-4">
          <PackSelect label="From" value={before.version} packs={packs} onChange={(it) => filter({ from: it })} />
          <PackSelect label="to" value={after.version} packs={packs} onChange={(it) => filter({ to: it })} />
        </div>
      }
    >
      <Compared at={at} from={before} to={after} />
    </Section>
  )
}

const PackContent = ({ at, pack }: { at: GuideRef; pack: PackHead }) => {
  const content = useQuery(packQuery(at, pack.id))
  return (
    <Read query={content} what={`snapshot ${pack.version}`}>
      {({ rules, customRulesYaml }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 pt-2">
          <p className="font-mono text-xs break-words">
            {rules
              .filter((it) => it.enabled)
              .map((it) => `${it.id} (${it.severity})`)
              .join(', ')}
          </p>
          {customRulesYaml === '' ? null : <Snippet text={customRulesYaml} what="the custom rules" />}
        </div>
      )}
    </Read>
  )
}

const PackRow = ({ at, pack, shown, onShow }: { at: GuideRef; pack: PackHead; shown: boolean; onShow: () => void }) => (
  <li className="px-4 py-2.5">
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <span className="font-semibold">Snapshot {pack.version}</span>
      <span className="tabular-nums">{count(pack.rulesOn, 'rule', 'rules')} on</span>
      <span className="text-soft">
        <Moment at={pack.createdAt} />
      </span>
      <span className="min-w-0 grow truncate font-mono text-xs text-soft" title={pack.digest}>
        {pack.digest}
      </span>
      <Button look="quiet" aria-expanded={shown} onClick={onShow}>
        {shown ? 'Hide' : 'Show'} contents<span className="sr-only">, snapshot {pack.version}</span>
      </Button>
    </div>
    {shown ? <PackContent at={at} pack={pack} /> : null}
  </li>
)

interface PacksViewProps {
  readonly at: GuideRef
  readonly from: number
  readonly to: number
  /** The number of the pack whose content is open; 0 for none. */
  readonly shown: number
  readonly offset: number
}

/** The packs of a guide: what it was at a moment, kept for good. */
export const PacksView = ({ at, from, to, shown, offset }: PacksViewProps) => {
  const packs = useQuery(packsQuery(at, offset))
  const { guide, may } = useGuide(at)
  const { filter, move } = useAddress()
  const make = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      await call(styleGuidesApi.createPolicyVersion, { params: guideParams(at) })
      await refreshGuides(at.tenant)
      filter({ from: undefined, to: undefined })
    },
  })
  const name = guide.data?.name ?? at.guide
  return (
    <section aria-label="Snapshots" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Toolbar>
        <p className="flex-1 basis-72 text-sm text-pretty text-soft">
          A snapshot stores the rules, custom rules and policy of the guide as they are now. Snapshots never change, and
          are kept when the guide is deleted.
        </p>
        <CommandHint command={svcCommand(at.tenant, ['style-guide', 'packs', name])} />
      </Toolbar>
      {may ? (
        <div>
          <Button look="primary" busy={make.isPending} onClick={() => make.mutate()}>
            Create snapshot
          </Button>
        </div>
      ) : null}
      {make.error ? <Failure error={make.error} /> : null}
      <Listing
        query={packs}
        what="the snapshots"
        one="snapshot"
        onMove={move}
        empty={
          <Empty title="No snapshots yet">
            <p>{may ? 'Create one to keep the current state of the guide.' : 'An Owner or Admin can create one.'}</p>
          </Empty>
        }
      >
        {(items) => (
          <>
            <ul className="card divide-y">
              {items.map((pack) => (
                <PackRow
                  key={pack.id}
                  at={at}
                  pack={pack}
                  shown={shown === pack.version}
                  onShow={() => filter({ show: shown === pack.version ? undefined : pack.version })}
                />
              ))}
            </ul>
            {items.length > 1 ? <Difference at={at} packs={items} from={from} to={to} /> : null}
          </>
        )}
      </Listing>
    </section>
  )
}
