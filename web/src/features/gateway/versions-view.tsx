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
import { List, Row } from '../../parts/list.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
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

const VersionRow = ({ version, newest, may }: { version: Version; newest: number; may: boolean }) => {
  const { filter, open } = useAddress()
  const { version: number } = version
  return (
    <Row>
      <h3 className="font-medium">Version {number}</h3>
      <span className="grid">
        {number === newest ? (
          <span>
            <Badge tone="ok">in force</Badge>
          </span>
        ) : null}
        {version.restoredFrom === null ? null : (
          <span className="text-xs text-soft">restored from {version.restoredFrom}</span>
        )}
      </span>
      <ul className="min-w-0 py-1 text-soft max-md:w-full">
        {version.changes.map((sentence) => (
          <li key={sentence} className="wrap-anywhere">
            <Words of={sentence} />
          </li>
        ))}
      </ul>
      <span className="truncate text-soft">{version.createdByName}</span>
      <span className="text-soft">
        <Moment at={version.createdAt} />
      </span>
      <span className="flex justify-end max-md:absolute max-md:top-1 max-md:right-2">
        {number > 1 || number < newest ? (
          <Menu align="end" label={<span className="sr-only">Actions for version {number}</span>}>
            {number > 1 ? (
              <MenuItem onClick={() => filter({ from: number - 1, to: number })}>Compare with {number - 1}</MenuItem>
            ) : null}
            {number < newest ? (
              <MenuItem onClick={() => filter({ from: number, to: newest })}>Compare with {newest}</MenuItem>
            ) : null}
            {may && number < newest ? (
              <MenuItem onClick={() => open('restore', String(number))}>Restore …</MenuItem>
            ) : null}
          </Menu>
        ) : null}
      </span>
    </Row>
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
            <List
              label="Versions"
              columns="6rem 9rem minmax(0,1fr) minmax(0,9rem) 7rem 2.5rem"
              heads={['Version', 'State', 'Changes', 'By', 'When']}
            >
              {items.map((it) => (
                <VersionRow key={it.version} version={it} newest={policy.data?.policyVersion ?? it.version} may={may} />
              ))}
            </List>
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
