import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../parts/button.tsx'
import { CommandHint, CopyButton } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Toolbar } from '../../parts/page.tsx'
import { Lines } from '../../parts/source-lines.tsx'
import { documentTextQuery, type VersionRef, versionQuery } from './queries.ts'
import { holds, identityQuery } from '../../session.ts'
import { later } from '../../parts/later.tsx'

const SourceEditor = later('the editor', async () => (await import('./source-editor.tsx')).SourceEditor)

/** The source as its author wrote it; members with the permission can edit a draft. */
export const SourceView = ({ at, line, editing }: { at: VersionRef; line: number | null; editing: boolean }) => {
  const source = useQuery(documentTextQuery(at))
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  const may = version.data?.status === 'draft' && holds(identity.data, at.tenant, 'versions:edit')
  const path = [at.tenant, 'projects', at.project, 'versions', at.version].map(encodeURIComponent).join('/')
  return (
    <section aria-label="Source" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Read query={source} what="the document">
        {(document) =>
          editing && may ? (
            <SourceEditor at={at} read={document} line={line} />
          ) : (
            <>
              <Toolbar>
                <p className="flex items-center gap-2 text-sm text-soft">
                  {count(document.text.split('\n').length, 'line', 'lines')}
                  <CopyButton text={document.text} what="the document" />
                  {may ? (
                    <Link
                      to="/t/$tenant/$project/$version/source"
                      params={{ ...at }}
                      search={{ edit: 'yes', ...(line === null ? {} : { line }) }}
                      className={buttonClass()}
                    >
                      Edit the draft
                    </Link>
                  ) : null}
                </p>
                <CommandHint
                  command={`curl --header "X-API-Key: $SVC_API_KEY" ${location.origin}/v1/tenants/${path}/document`}
                />
              </Toolbar>
              {editing && !may ? (
                <p className="text-soft">
                  {version.data && version.data.status !== 'draft'
                    ? 'Published versions cannot be edited. Create a draft from this version instead.'
                    : 'Editing needs the role Editor, Admin or Owner.'}
                </p>
              ) : null}
              <Lines label="Lines of the document" text={document.text} line={line} />
            </>
          )
        }
      </Read>
    </section>
  )
}
