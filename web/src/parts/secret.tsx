import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'
import { Window } from './dialog.tsx'

const Shown = ({ secret, children, onClose }: { secret: string; children?: ReactNode; onClose: () => void }) => {
  const [stored, setStored] = useState(false)
  return (
    <>
      <p className="text-soft">This is the only time the key can be seen. Only a digest of it is kept.</p>
      <div className="flex items-center gap-2 rounded-lg border border-accent bg-wash p-3">
        <code className="min-w-0 grow font-mono text-sm break-all" aria-label="The key">
          {secret}
        </code>
        <CopyButton text={secret} what="the key" />
      </div>
      {children}
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={stored} onChange={(event) => setStored(event.target.checked)} />I have stored
        the key
      </label>
      <div className="flex justify-end">
        <Button look="primary" disabled={!stored} onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}

/** A key just made. The window does not close before its reader says that the key is stored. */
export const SecretWindow = ({
  title,
  secret,
  onClose,
  children,
}: {
  title: string
  /** Null closes the window. */
  secret: string | null
  onClose: () => void
  children?: ReactNode
}) => (
  <Window open={secret !== null} onOpenChange={() => {}} title={title}>
    {secret === null ? null : (
      <Shown secret={secret} onClose={onClose}>
        {children}
      </Shown>
    )}
  </Window>
)
