import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { Badge, Method } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { Notice } from '../../parts/states.tsx'
import { count } from '../../parts/text.ts'
import { operationsQuery, type VersionRef } from '../catalog/versions.ts'
import { publishVerdict, type Publishing } from './publish-verdict.ts'

/** The verdict on publishing a draft, with whom it concerns. */
export const PublishVerdict = ({ at, record, found }: { at: VersionRef; record: VersionRecord; found: Publishing }) => {
  const verdict = publishVerdict(record.label, found)
  if (verdict === null || found.changes === null) return null
  const { broken, unknown } = found.consumers
  const { breaking, unknown: undecided } = found.changes.counts
  const sentences = [
    ...(broken.length > 0 ? [`${broken.join(', ')} ${broken.length === 1 ? 'uses' : 'use'} what changed.`] : []),
    ...(broken.length === 0 && breaking > 0 ? ['No registered consumer is known to use what breaks.'] : []),
    ...(unknown.length > 0 ? [`Undecided: ${unknown.join(', ')}.`] : []),
    ...(undecided > 0 ? [`${count(undecided, 'change is', 'changes are')} undecided.`] : []),
  ]
  return (
    <Notice
      {...verdict}
      actions={
        <Link
          to="/t/$tenant/$project/$version/changes"
          params={{ ...at }}
          search={{ base: found.changes.base.slug }}
          className={buttonClass()}
        >
          See the changes
        </Link>
      }
    >
      <p>{sentences.join(' ')}</p>
    </Notice>
  )
}

/** So many operations are listed here; all of them are a tab of their own. */
const fewOperations = 10

/** The first operations of a version. */
export const OperationsSection = ({ at, total }: { at: VersionRef; total: number }) => {
  const operations = useInfiniteQuery(operationsQuery(at, '', ''))
  return (
    <Section
      title={count(total, 'operation', 'operations')}
      actions={
        total > fewOperations ? (
          <Link to="/t/$tenant/$project/$version/operations" params={{ ...at }} className="link text-sm">
            All {total.toLocaleString()}
          </Link>
        ) : null
      }
    >
      <Read query={operations} what="the operations">
        {({ pages }) => (
          <List label="Operations" columns="4rem minmax(0,2fr) minmax(0,3fr) 6rem">
            {(pages[0]?.items ?? []).slice(0, fewOperations).map((operation) => (
              <Row key={`${operation.method} ${operation.path}`}>
                <Method method={operation.method} />
                <Link
                  to="/t/$tenant/$project/$version/operations"
                  params={{ ...at }}
                  search={{ operation: `${operation.method} ${operation.path}` }}
                  className="truncate font-mono text-xs after:absolute after:inset-0 max-md:flex-1"
                >
                  {operation.path}
                </Link>
                <span className="truncate text-soft max-md:w-full">{operation.summary || operation.operation_id}</span>
                <span>{operation.deprecated ? <Badge tone="warn">deprecated</Badge> : null}</span>
              </Row>
            ))}
          </List>
        )}
      </Read>
    </Section>
  )
}
