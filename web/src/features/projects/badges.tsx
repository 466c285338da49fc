import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { portalApi, type ProjectBadges } from '../../../../src/api/portal.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Snippet, svcCommand } from '../../parts/copy.tsx'
import { Command } from '../../parts/commands.tsx'
import { Read } from '../../parts/listing.tsx'
import { Notice } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'

const badgesQuery = (tenant: string, project: string) =>
  queryOptions({
    queryKey: ['badges', tenant, project],
    queryFn: () => call(portalApi.badges, { params: { tenant_slug: tenant, project_ref: project } }),
  })

/** What keeps everybody from seeing the badges, and what to do about it; nothing where they are seen. */
const Obstacle = ({ tenant, project, found }: { tenant: string; project: string; found: ProjectBadges }) => {
  const identity = useQuery(identityQuery)
  if (!found.enabled)
    return (
      <Notice tone="warn" title="No one sees these badges yet: the public portal is off">
        {holds(identity.data, tenant, 'members:edit') ? (
          <>
            Switch it on in the{' '}
            <Link to="/t/$tenant/-/settings" params={{ tenant }} className="font-medium underline">
              settings of the organization
            </Link>
            .
          </>
        ) : (
          'An Owner or Admin can switch it on in the settings of the organization.'
        )}
      </Notice>
    )
  if (found.version_label !== null) return null
  return (
    <Notice tone="warn" title="No one sees these badges yet: no version of this project is public">
      Badges show the latest public version. Choose a{' '}
      <Link
        to="/t/$tenant/$project"
        params={{ tenant, project }}
        search={{ status: 'published' }}
        className="font-medium underline"
      >
        published version
      </Link>{' '}
      and change its visibility, or publish the next one as public.
    </Notice>
  )
}

const languages = [
  { value: 'markdown', name: 'Markdown' },
  { value: 'html', name: 'HTML' },
] as const

/** The badges of a project as everybody sees them, and the texts that show them elsewhere. */
export const Badges = ({ tenant, project, onClose }: { tenant: string; project: string; onClose: () => void }) => {
  const badges = useQuery(badgesQuery(tenant, project))
  const [language, setLanguage] = useState<'markdown' | 'html'>('markdown')
  return (
    <Read query={badges} what="the badges">
      {(found) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Obstacle tenant={tenant} project={project} found={found} />
          {found.enabled && found.version_label !== null ? (
            <div className="grid gap-2">
              <p className="text-sm text-soft">
                They show {found.version_label}, the latest public version. Their addresses stay the same for all
                versions.
              </p>
              <p className="flex flex-wrap gap-2">
                {found.badges.map(({ kind, url }) => (
                  <img key={kind} src={new URL(url, location.origin).pathname} alt={`Badge: ${kind}`} height={20} />
                ))}
              </p>
            </div>
          ) : null}
          <Choices
            label="Language"
            value={language}
            choices={languages}
            onChange={(next) => setLanguage(next === 'html' ? 'html' : 'markdown')}
          />
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-2" aria-label="Badges">
            {found.badges.map((it) => (
              <li key={it.kind}>
                <Snippet text={it[language]} what={`the ${language === 'html' ? 'HTML' : 'Markdown'} of ${it.kind}`} />
              </li>
            ))}
          </ul>
          <Command command={svcCommand(tenant, ['portal', 'badges', project])} />
          <div className="flex justify-end">
            <Button onClick={onClose}>Close</Button>
          </div>
        </div>
      )}
    </Read>
  )
}
