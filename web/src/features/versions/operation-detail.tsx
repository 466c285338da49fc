import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ExternalLink, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { nodeAt } from '../../parts/openapi-document.ts'
import { Method } from '../../parts/badge.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Failure, Loading } from '../../parts/states.tsx'
import { openapiQuery, type VersionRef, versionQuery } from './queries.ts'
import { OperationBody } from '../../parts/operation-body.tsx'

/** One operation in full, read from the version's OpenAPI document. `operation` is its name: "GET /pets/{id}". */
export const OperationDetail = ({
  at,
  operation,
  onClose,
}: {
  at: VersionRef
  operation: string
  onClose: () => void
}) => {
  const document = useQuery(openapiQuery(at))
  const version = useQuery(versionQuery(at))
  const heading = useRef<HTMLHeadingElement>(null)
  const [method = '', ...rest] = operation.split(' ')
  const path = rest.join(' ')
  // The focus follows into what was opened.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    // On a narrow screen it takes the place of the list, which may have been scrolled.
    if (matchMedia('(width < 64rem)').matches) heading.current?.scrollIntoView({ block: 'nearest' })
  }, [operation])
  const root = document.data
  const item = nodeAt(nodeAt(root, 'paths'), path)
  const found = nodeAt(item, method.toLowerCase())
  return (
    <article
      className="card grid grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-auto p-4 lg:max-h-[65vh]"
      tabIndex={0}
      aria-label={operation}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <button type="button" className="link flex w-fit items-center gap-1 text-sm lg:hidden" onClick={onClose}>
        <ArrowLeft size={15} aria-hidden="true" />
        All operations
      </button>
      <div className="flex items-start gap-2">
        <h2
          ref={heading}
          tabIndex={-1}
          className="outline-none flex min-w-0 grow flex-wrap items-baseline gap-x-1 font-semibold"
        >
          <Method method={method} />
          <span className="font-mono text-sm break-all">{path}</span>
        </h2>
        <CopyButton text={operation} what="method and path" />
        {version.data ? (
          <a
            href={`${version.data.urls.page}#${encodeURIComponent(operation)}`}
            target="_blank"
            rel="noreferrer"
            aria-label="Open in the documentation (opens in a new tab)"
            title="Open in the documentation"
            className="inline-flex size-7 items-center justify-center rounded-md hover:bg-raised"
          >
            <ExternalLink size={16} aria-hidden="true" />
          </a>
        ) : null}
        <button
          type="button"
          aria-label="Close the operation"
          onClick={onClose}
          className="inline-flex size-7 items-center justify-center rounded-md hover:bg-raised"
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      {document.isError ? (
        <Failure error={document.error} onRetry={() => void document.refetch()} />
      ) : !root ? (
        <Loading what="the operation" />
      ) : !item || !found ? (
        <p className="text-soft">This version has no such operation.</p>
      ) : (
        <OperationBody root={root} item={item} operation={found} />
      )}
    </article>
  )
}
