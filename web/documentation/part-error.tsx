import { Button } from '../src/parts/button.tsx'
import { PartFailure } from './parts.ts'

/** Why a part is not shown, and what to do. */
export const PartError = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const known = error instanceof PartFailure ? error : null
  return (
    <div role="alert" className="card grid justify-items-start gap-2 border-danger px-4 py-3">
      <p>{known?.message ?? 'This part cannot be shown.'}</p>
      <p className="text-sm text-soft">{known?.hint ?? 'Reload the page.'}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
