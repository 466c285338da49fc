import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PrimitiveRecord } from '../../../../src/api/primitive-shapes.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { useDownload } from '../../parts/download.ts'
import { writeJson } from '../../parts/json.tsx'
import { Read } from '../../parts/listing.tsx'
import { Toolbar } from '../../parts/page.tsx'
import { Lines } from '../../parts/source-frame.tsx'
import { Failure } from '../../parts/states.tsx'
import { revisionQuery, type TypeAt, typeQuery } from './queries.ts'

const Source = ({ record, revision, schema }: { record: PrimitiveRecord; revision: number; schema: unknown }) => {
  const download = useDownload()
  const text = writeJson(schema)
  const name = `${record.name}@${revision}.json`
  return (
    <>
      <Toolbar>
        <p role="status" className="text-sm text-soft">
          Revision {revision.toLocaleString()}
          {revision === record.revision ? ', the newest one' : ''}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <span className="flex items-center gap-1 text-sm text-soft">
            Copy <CopyButton text={text} what="the schema" />
          </span>
          <Button
            busy={download.isPending}
            onClick={() =>
              download.mutate({ name, type: 'application/schema+json', read: () => Promise.resolve(`${text}\n`) })
            }
          >
            Download
          </Button>
        </div>
      </Toolbar>
      {download.error ? <Failure error={download.error} /> : null}
      <Lines label={`Schema of revision ${revision}`} text={text} line={null} />
    </>
  )
}

const OfRevision = ({ at, record, revision }: { at: TypeAt; record: PrimitiveRecord; revision: number }) => {
  const read = useQuery(revisionQuery(at, revision))
  return (
    <>
      <p className="text-sm">
        <Link to="/t/$tenant/-/types/$type/source" params={{ ...at }} className="link">
          Show the newest revision
        </Link>
      </p>
      <Read query={read} what={`revision ${revision}`}>
        {({ schema }) => <Source record={record} revision={revision} schema={schema} />}
      </Read>
    </>
  )
}

/** The schema as it is registered, of the newest revision or of an older one. */
export const SourceTab = ({ revision, ...at }: TypeAt & { revision: number | null }) => {
  const read = useQuery(typeQuery(at))
  return (
    <Read query={read} what="the type">
      {({ record }) =>
        revision === null || revision === record.revision ? (
          <Source record={record} revision={record.revision} schema={record.schema} />
        ) : (
          <OfRevision at={at} record={record} revision={revision} />
        )
      }
    </Read>
  )
}
