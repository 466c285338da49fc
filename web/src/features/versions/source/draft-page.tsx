import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Read } from '../../../parts/listing.tsx'
import { Page } from '../../../parts/page.tsx'
import { Empty, needs } from '../../../parts/states.tsx'
import { holds, identityQuery } from '../../../session.ts'
import { type VersionRef, versionQuery } from '../queries.ts'
import { DraftEditor } from './draft-editor.tsx'

/** The editor of a draft, or why this version cannot be edited. */
export const DraftPage = ({ at, line }: { at: VersionRef; line: number | null }) => {
  const version = useQuery(versionQuery(at))
  const identity = useQuery(identityQuery)
  return (
    <Read query={version} what="the version">
      {({ status, title, label }) =>
        status === 'draft' && holds(identity.data, at.tenant, 'versions:edit') ? (
          <DraftEditor at={at} line={line} />
        ) : identity.data === undefined ? null : (
          <Page title={`${title} ${label}`}>
            <Empty title="Not editable">
              <p>
                {status === 'draft'
                  ? needs('versions:edit', 'Editing')
                  : 'Published versions cannot be edited. Create a draft from this version instead.'}
              </p>
              <Link to="/t/$tenant/$project/$version/source" params={{ ...at }} className="link">
                Read the source
              </Link>
            </Empty>
          </Page>
        )
      }
    </Read>
  )
}
