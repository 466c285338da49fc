import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { ProjectRecord } from '../../../../src/api/projects.ts'
import { type VersionRecord, versionStatuses } from '../../../../src/api/versions.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { AlertWindow, Window } from '../../parts/dialog.tsx'
import { later } from '../../parts/later.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { versionsQuery } from '../catalog/versions.ts'
import { projectQuery } from '../catalog/projects.ts'
import { ProjectFrame, useRights } from './project-frame.tsx'

const Badges = later('the badges', async () => (await import('./badges.tsx')).Badges)
const EditProject = later('the form', async () => (await import('./project-forms.tsx')).EditProject)
const DeleteProject = later('the form', async () => (await import('./project-forms.tsx')).DeleteProject)
const VersionList = later('the versions', async () => (await import('./version-list.tsx')).VersionList)
const CreateDraft = later('the form', async () => (await import('./project-forms.tsx')).CreateDraft)

/** Owner, lifecycle, tags and links, where there are any, and the badges. */
const ProjectFacts = ({
  tenant,
  project,
  onBadges,
}: {
  tenant: string
  project: ProjectRecord
  onBadges: () => void
}) => {
  const { owner, lifecycle, tags, links } = project
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1.5 text-sm">
      {owner === null ? null : (
        <span>
          <span className="text-soft">Owner</span>{' '}
          <Link to="/t/$tenant" params={{ tenant }} search={{ owner }} className="link">
            {owner}
          </Link>
        </span>
      )}
      {lifecycle === null ? null : <Badge>{lifecycle}</Badge>}
      {tags.map((tag) => (
        <Link key={tag} to="/t/$tenant" params={{ tenant }} search={{ tag }} className="link">
          #{tag}
        </Link>
      ))}
      {links.map(({ title, url }) => (
        <a key={url} href={url} target="_blank" rel="noreferrer" className="link break-all">
          {title ?? url}
          <ExternalLink size={12} className="ml-1 inline" aria-label="(opens in a new tab)" />
        </a>
      ))}
      <button type="button" className="link" onClick={onBadges}>
        Badges …
      </button>
    </div>
  )
}

type Rights = ReturnType<typeof useRights>

/** The dialogs about a project, by the word that the address has for each. */
const ProjectDialogs = ({
  tenant,
  project,
  record,
  may,
  versions,
}: {
  tenant: string
  project: string
  record: ProjectRecord
  may: Rights
  /** The versions that are listed; undefined until they are read. */
  versions: readonly VersionRecord[] | undefined
}) => {
  const { dialog, close } = useAddress()
  return (
    <>
      <Window open={dialog === 'badges'} onClose={close} title="Badges">
        <Badges tenant={tenant} project={project} onClose={close} />
      </Window>
      <Window open={dialog === 'edit' && may.edit} onClose={close} title="Edit the project">
        <EditProject tenant={tenant} project={record} onClose={close} />
      </Window>
      <AlertWindow open={dialog === 'delete' && may.remove} onClose={close} title={`Delete ${record.name}?`}>
        <DeleteProject tenant={tenant} project={record} onClose={close} />
      </AlertWindow>
      <Window open={dialog === 'draft' && may.draft && versions !== undefined} onClose={close} title="Create a draft">
        <CreateDraft
          tenant={tenant}
          project={project}
          labels={(versions ?? []).map(({ label }) => label)}
          onClose={close}
        />
      </Window>
    </>
  )
}

const NoVersions = ({ tenant, project }: { tenant: string; project: string }) => (
  <Empty title="No versions yet">
    <p>Import a document. The version number is read from the document.</p>
    <CommandHint command={svcCommand(tenant, ['import', 'openapi', 'openapi.yaml'], { 'project-slug': project })} />
  </Empty>
)

const StatusFilter = ({ tenant, project, status }: { tenant: string; project: string; status: string }) => {
  const { filter } = useAddress()
  return (
    <Toolbar>
      <Choices
        label="Status"
        value={status === '' ? null : status}
        choices={versionStatuses.map((it) => ({ value: it, name: it }))}
        onChange={(next) => filter({ status: next ?? '' })}
      />
      <CommandHint command={svcCommand(tenant, ['version', 'list', project], { status })} />
    </Toolbar>
  )
}

/** A project and its versions, newest first. */
export const ProjectPage = ({
  tenant,
  project,
  status,
  offset,
}: {
  tenant: string
  project: string
  status: string
  offset: number
}) => {
  const record = useQuery(projectQuery(tenant, project))
  const versions = useQuery(versionsQuery(tenant, project, offset, status))
  const may = useRights(tenant, project)
  const { open, filter, move } = useAddress()
  return (
    <ProjectFrame
      tenant={tenant}
      project={project}
      tab={null}
      facts={
        record.data ? <ProjectFacts tenant={tenant} project={record.data} onBadges={() => open('badges')} /> : null
      }
    >
      <StatusFilter tenant={tenant} project={project} status={status} />
      <Listing
        query={versions}
        what="the versions"
        one="version"
        filtered={status !== ''}
        onClear={() => filter({ status: '' })}
        onMove={move}
        empty={<NoVersions tenant={tenant} project={project} />}
      >
        {(items) => (
          <VersionList tenant={tenant} project={project} items={items} total={versions.data?.total ?? items.length} />
        )}
      </Listing>
      {record.data ? (
        <ProjectDialogs
          tenant={tenant}
          project={project}
          record={record.data}
          may={may}
          versions={versions.data?.items}
        />
      ) : null}
    </ProjectFrame>
  )
}
