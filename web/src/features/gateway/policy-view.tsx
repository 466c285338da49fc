import { useQuery } from '@tanstack/react-query'
import type { SecurityPolicy } from '../../../../src/api/gateway.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Facts, Section, Toolbar } from '../../parts/page.tsx'
import { count } from '../../parts/text.ts'
import { holds, identityQuery } from '../../session.ts'
import { GroupsSection } from './groups-section.tsx'
import { PositiveSection } from './positive/positive-section.tsx'
import { PresetsForm } from './presets-form.tsx'
import { type EnvironmentAt, policyQuery } from './queries.ts'
import { modeNames, tierDetail, tierNames } from './words.ts'

const rateWords = ({ rate }: SecurityPolicy['presets']): string =>
  rate === null
    ? 'none'
    : `${count(rate.limit, 'request', 'requests')} in ${count(rate.windowSeconds, 'second', 'seconds')} for each ${
        (rate.key ?? 'ip') === 'ip' ? 'address' : `value of ${rate.key}`
      }`

const challengeWords = ({ challenge }: SecurityPolicy['presets']): string =>
  challenge === null ? 'none' : `${challenge.kind}, remembered for ${count(challenge.passMinutes, 'minute', 'minutes')}`

const PresetsCard = ({ presets }: { presets: SecurityPolicy['presets'] }) => {
  const { tier, levels, bot, reasons } = presets
  return (
    <div className="card grid gap-3 p-4">
      <Facts
        facts={[
          ['Tier', `${tierNames[tier]}. ${tierDetail(tier)}`],
          [
            'Levels',
            tier === 'off'
              ? null
              : `rules of level ${levels.blocking} count, those up to level ${levels.detection} report, refused at a score of ${levels.threshold}`,
          ],
          ['Bots', modeNames[bot]],
          ['Rate limit', rateWords(presets)],
          ['Challenge', challengeWords(presets)],
          ...Object.entries(reasons).map(([name, reason]) => [`Reason (${name})`, reason] as const),
        ]}
      />
    </div>
  )
}

/** The settings of a policy: tier and presets, managed groups, and what the document allows. */
export const PolicyView = ({ at }: { at: EnvironmentAt }) => {
  const policy = useQuery(policyQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const may = holds(identity.data, at.tenant, 'security:edit')
  return (
    <Read query={policy} what="the policy">
      {(entry) => (
        <>
          <Toolbar>
            <CommandHint command={svcCommand(at.tenant, ['gateway', 'policy', 'show', at.environment])} />
          </Toolbar>
          <Section
            title="Policy"
            description={`${count(entry.rules.length, 'custom rule', 'custom rules')}, ${count(entry.exceptions.length, 'active exception', 'active exceptions')}; risky changes ${entry.approvals.required ? `need ${count(entry.approvals.approversMin, 'other person', 'other people')}` : 'need no approval'}.`}
            actions={
              may ? (
                <Button look="primary" onClick={() => open('presets')}>
                  Change …
                </Button>
              ) : null
            }
          >
            <PresetsCard presets={entry.presets} />
            <Window open={dialog === 'presets' && may} onClose={close} title="Tier and presets">
              <PresetsForm at={at} version={entry.policyVersion} of={entry.presets} onClose={close} />
            </Window>
          </Section>
          <GroupsSection at={at} policy={entry} />
          <PositiveSection at={at} policy={entry} />
        </>
      )}
    </Read>
  )
}
