import type { Static } from '@sinclair/typebox'
import { useQuery } from '@tanstack/react-query'
import { gatewayApi, type PolicyVersion, type SecurityPolicy } from '../../../../src/api/gateway.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Moment, Section, Toolbar, Words } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { ChangeList } from './effect.tsx'
import { comparisonQuery, type EnvironmentAt, environmentInput, policyQuery, versionsQuery } from './queries.ts'
import { WriteForm } from './write-form.tsx'

const Comparison = ({ at, from, to }: { at: EnvironmentAt; from: number; to: number }) => {
  const changes = useQuery(comparisonQuery(at, from, to))
  const { filter } = useAddress()
  return (
    <Section
      title={`From version ${from} to version ${to}`}
      actions={<Button onClick={() => filter({ from: 0, to: 0 })}>Close the comparison</Button>}
    >
      <Toolbar>
        <CommandHint
          command={svcCommand(at.tenant, ['gateway', 'policy', 'versions', at.environment], {
            from: String(from),
            to: String(to),
          })}
        />
      </Toolbar>
      <Read query={changes} what="the comparison">
        {(all) => (
          <div className="card px-4 py-3">
            {all.length === 0 ? <p>The two versions have the same effect.</p> : <ChangeList changes={all} />}
          </div>
        )}
      </Read>
    </Section>
  )
}

/** Making an older version the newest one, with what that would do. */
const RestoreForm = ({
  at,
  policy,
  version,
  onClose,
}: {
  at: EnvironmentAt
  policy: SecurityPolicy
  version: number
  onClose: () => void
}) => (
  <WriteForm
    at={at}
    version={policy.policyVersion}
    given={String(version)}
    save="Restore"
    onClose={onClose}
    send={(controls) =>
      call(gatewayApi.restorePolicyVersion, {
        ...environmentInput(at),
        params: { environment_id: at.environment, version },
        body: controls,
      })
    }
  >
    <p className="text-soft">
      The content of version {version} is saved as a new version. Exceptions return with their end; those that ended
      meanwhile stay ended.
    </p>
  </WriteForm>
)

type Version = Static<typeof PolicyVersion>

const Row = ({ version, newest, may }: { version: Version; newest: number; may: boolean }) => {
  const { filter, open } = useAddress()
  return (
    <li className="grid gap-1.5 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-medium">Version {version.version}</h3>
        {version.version === newest ? <Badge tone="accent">in force</Badge> : null}
        {version.restoredFrom === null ? null : <Badge>restored from {version.restoredFrom}</Badge>}
        <span className="min-w-0 grow text-sm text-soft">
          by {version.createdByName}, <Moment at={version.createdAt} />
        </span>
        {version.version > 1 ? (
          <Button
            look="quiet"
            aria-label={`Compare with ${version.version - 1}: version ${version.version}`}
            onClick={() => filter({ from: version.version - 1, to: version.version })}
          >
            Compare with {version.version - 1}
          </Button>
        ) : null}
        {version.version < newest ? (
          <Button
            look="quiet"
            aria-label={`Compare with ${newest}: version ${version.version}`}
            onClick={() => filter({ from: version.version, to: newest })}
          >
            Compare with {newest}
          </Button>
        ) : null}
        {may && version.version < newest ? (
          <Button
            aria-label={`Restore version ${version.version}`}
            onClick={() => open('restore', String(version.version))}
          >
            Restore …
          </Button>
        ) : null}
      </div>
      <ul className="grid gap-0.5 text-sm text-soft">
        {version.changes.map((sentence) => (
          <li key={sentence} className="wrap-anywhere">
            <Words of={sentence} />
          </li>
        ))}
      </ul>
    </li>
  )
}

/** The versions of a policy, what differs between two of them, and the way back to one. */
export const VersionsView = ({
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
  const versions = useQuery(versionsQuery(at, offset))
  const policy = useQuery(policyQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, item, close, move } = useAddress()
  const may = holds(identity.data, at.tenant, 'security:edit')
  const wanted = Number(item)
  return (
    <>
      {from > 0 && to > 0 ? <Comparison at={at} from={from} to={to} /> : null}
      <Section
        title="Versions of the policy"
        description="Every change makes one, and all are kept."
        actions={<CommandHint command={svcCommand(at.tenant, ['gateway', 'policy', 'versions', at.environment])} />}
      >
        <Listing
          query={versions}
          what="the versions"
          one="version"
          onMove={move}
          empty={<Empty title="No versions yet" />}
        >
          {(items) => (
            <ol className="card divide-y" aria-label="Versions">
              {items.map((it) => (
                <Row key={it.version} version={it} newest={policy.data?.policyVersion ?? it.version} may={may} />
              ))}
            </ol>
          )}
        </Listing>
      </Section>
      {policy.data !== undefined && may && Number.isInteger(wanted) && wanted > 0 ? (
        <Window open={dialog === 'restore'} onClose={close} title={`Restore version ${wanted}`}>
          <RestoreForm at={at} policy={policy.data} version={wanted} onClose={close} />
        </Window>
      ) : null}
    </>
  )
}
