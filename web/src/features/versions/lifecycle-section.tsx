import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Window } from '../../parts/dialog.tsx'
import { later } from '../../parts/later.tsx'
import { Day, Facts, Moment, Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { RetireWindow, UndeprecateWindow } from './publish-windows.tsx'
import { allVersionsQuery, type VersionRef } from './queries.ts'

const VisibilityForm = later('the form', async () => (await import('./publish-forms.tsx')).VisibilityForm)
const DeprecateForm = later('the form', async () => (await import('./publish-forms.tsx')).DeprecateForm)

const Steps = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const { dialog, open, close } = useAddress()
  const siblings = useQuery({ ...allVersionsQuery(at.tenant, at.project), enabled: dialog === 'deprecate' })
  const others = (siblings.data?.items ?? []).filter((it) => it.id !== record.id && it.status === 'published')
  const { status } = record
  const isLive = status === 'published' || status === 'deprecated'
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => open('visibility')}>Change visibility …</Button>
        {status === 'published' ? <Button onClick={() => open('deprecate')}>Deprecate …</Button> : null}
        {status === 'deprecated' ? (
          <>
            <Button onClick={() => open('deprecate')}>Change the deprecation …</Button>
            <Button onClick={() => open('undeprecate')}>Withdraw the deprecation …</Button>
          </>
        ) : null}
        {isLive ? (
          <Button look="danger" onClick={() => open('retire')}>
            Retire …
          </Button>
        ) : null}
      </div>
      <Window open={dialog === 'visibility'} onClose={close} title={`Visibility of ${record.label}`}>
        <VisibilityForm at={at} record={record} onClose={close} />
      </Window>
      <Window
        open={dialog === 'deprecate' && isLive}
        onClose={close}
        title={status === 'deprecated' ? `Deprecation of ${record.label}` : `Deprecate ${record.label}?`}
      >
        <DeprecateForm at={at} record={record} others={others} onClose={close} />
      </Window>
      <UndeprecateWindow at={at} open={dialog === 'undeprecate' && status === 'deprecated'} onClose={close} />
      <RetireWindow at={at} open={dialog === 'retire' && isLive} onClose={close} />
    </>
  )
}

/** The state of a version that is not a draft any more, and the steps that the reader may take. */
export const LifecycleSection = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, at.tenant, 'versions:publish')
  return (
    <Section title={`This version is ${record.status}`}>
      <div className="card grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <Facts
          facts={[
            ['Visible to', record.visibility === 'public' ? 'everyone' : 'members of the organization'],
            ['Published', record.published_at ? <Moment key="published" at={record.published_at} /> : null],
            ['Deprecated', record.deprecated_at ? <Moment key="deprecated" at={record.deprecated_at} /> : null],
            ['Served until', record.sunset_at ? <Day key="sunset" at={record.sunset_at} /> : null],
            [
              'Replaced by',
              record.replacement === null ? null : (
                <Link
                  key="replacement"
                  to="/t/$tenant/$project/$version"
                  params={{ tenant: at.tenant, project: at.project, version: record.replacement }}
                  className="link"
                >
                  {record.replacement}
                </Link>
              ),
            ],
          ]}
        />
        {may ? <Steps at={at} record={record} /> : null}
      </div>
    </Section>
  )
}
