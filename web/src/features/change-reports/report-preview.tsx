import { useQuery } from '@tanstack/react-query'
import { type Baseline, reportPreviewQuery } from './queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Read } from '../../parts/listing.tsx'
import { LongMarkdown } from '../../parts/markdown.tsx'
import type { VersionRef } from '../catalog/versions.ts'

/** The report that publishing would write; nothing of it is kept. */
export const ReportPreview = ({ at, baseline }: { at: VersionRef; baseline: Baseline }) => {
  const preview = useQuery({
    ...reportPreviewQuery(at, baseline),
    enabled: baseline.mode !== 'manual' || baseline.revision !== '',
  })
  return (
    <Read query={preview} what="the preview">
      {({ headerSnapshot, renderedBody, footnoteSnapshot, fromVersionLabel, toVersionLabel, initialPublication }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <p className="flex flex-wrap items-center gap-2 text-sm text-soft">
            <Badge tone="info">preview, not saved</Badge>
            {initialPublication ? `${toVersionLabel}, first release` : `from ${fromVersionLabel} to ${toVersionLabel}`}
          </p>
          <LongMarkdown
            text={[headerSnapshot, renderedBody, footnoteSnapshot].filter((it) => it !== '').join('\n\n')}
          />
        </div>
      )}
    </Read>
  )
}
