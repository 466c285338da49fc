import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Release } from '../../../../../src/api/gateway-releases.ts'
import { useAddress } from '../../../parts/address.ts'
import { Badge } from '../../../parts/badge.tsx'
import { Button } from '../../../parts/button.tsx'
import { CommandHint } from '../../../parts/commands.tsx'
import { svcCommand } from '../../../parts/copy.tsx'
import { count } from '../../../parts/count.ts'
import { Window } from '../../../parts/dialog.tsx'
import { Listing } from '../../../parts/listing.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { Moment, Section } from '../../../parts/page.tsx'
import { Empty } from '../../../parts/states.tsx'
import { holds, identityQuery } from '../../../session.ts'
import type { EnvironmentAt } from '../queries.ts'
import { Comparison } from './comparison.tsx'
import { releasesQuery } from './queries.ts'
import { RollbackForm } from './rollback.tsx'
import { causeWords, engineNames, linesWords } from './words.ts'

const activeWords = ({ activeOn }: Release): string =>
  activeOn.length === 0 ? 'in use on no gateway' : `in use on ${count(activeOn.length, 'gateway', 'gateways')}`

const Row = ({ at, it, newest, may }: { at: EnvironmentAt; it: Release; newest: number; may: boolean }) => {
  const { filter, open } = useAddress()
  return (
    <li className="grid gap-1.5 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-medium">
          <Link
            to="/t/$tenant/-/gateway/$environment/releases/$release"
            params={{ ...at, release: String(it.number) }}
            className="link"
          >
            Release {it.number}
          </Link>
        </h3>
        {it.isLatest ? <Badge tone="accent">newest</Badge> : null}
        {it.holds ? <Badge tone="warn">holds until the policy changes</Badge> : null}
        <span className="min-w-0 grow text-sm text-soft">
          <Moment at={it.createdAt} />, {activeWords(it)}
        </span>
        {it.number > 1 ? (
          <Button
            look="quiet"
            aria-label={`Compare with ${it.number - 1}: release ${it.number}`}
            onClick={() => filter({ from: it.number - 1, to: it.number })}
          >
            Compare with {it.number - 1}
          </Button>
        ) : null}
        {it.isLatest ? null : (
          <Button
            look="quiet"
            aria-label={`Compare with ${newest}: release ${it.number}`}
            onClick={() => filter({ from: it.number, to: newest })}
          >
            Compare with {newest}
          </Button>
        )}
        {may && !it.isLatest ? (
          <Button aria-label={`Roll back to release ${it.number}`} onClick={() => open('rollback', it.id)}>
            Roll back …
          </Button>
        ) : null}
      </div>
      <p className="text-sm text-soft">
        {causeWords(it)} {linesWords(it.diff)}. {it.targets.map(({ engine }) => engineNames[engine]).join(', ')}.
      </p>
    </li>
  )
}

/** What gateways were given, what differs between two releases, and the way back to one. */
export const ReleasesView = ({
  at,
  from,
  to,
  offset,
}: {
  at: EnvironmentAt
  from: number
  to: number
  offset: number
}) => {
  const releases = useQuery(releasesQuery(at, offset))
  const identity = useQuery(identityQuery)
  const { dialog, item, close, move } = useAddress()
  const may = holds(identity.data, at.tenant, 'security:edit')
  const failure = releases.data?.failure ?? null
  const asked = releases.data?.items.find((it) => it.id === item)
  return (
    <>
      {failure === null ? null : (
        <Notice tone="danger" title={`There is no release of policy ${failure.policyVersion}`}>
          <p className="wrap-anywhere">
            {failure.reason} (<Moment at={failure.at} />)
          </p>
          <p>Gateways keep the release before it.</p>
        </Notice>
      )}
      {from > 0 && to > 0 ? <Comparison at={at} from={from} to={to} /> : null}
      <Section
        title="Releases"
        description="The compiled policy and bound document for each engine. Releases are signed and never change."
        actions={<CommandHint command={svcCommand(at.tenant, ['gateway', 'release', 'list', at.environment])} />}
      >
        <Listing
          query={releases}
          what="the releases"
          one="release"
          onMove={move}
          empty={
            <Empty title="No releases yet">
              <p>The first one is made when a gateway is added.</p>
            </Empty>
          }
        >
          {(items) => (
            <ol className="card divide-y" aria-label="Releases">
              {items.map((it) => (
                <Row
                  key={it.id}
                  at={at}
                  it={it}
                  newest={items.find(({ isLatest }) => isLatest)?.number ?? it.number}
                  may={may}
                />
              ))}
            </ol>
          )}
        </Listing>
      </Section>
      {asked && may ? (
        <Window open={dialog === 'rollback'} onClose={close} title={`Roll back to release ${asked.number}`}>
          <RollbackForm at={at} of={asked} onClose={close} />
        </Window>
      ) : null}
    </>
  )
}
