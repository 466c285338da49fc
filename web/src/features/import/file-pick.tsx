import type { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { type FileAt, filesOfList } from './read-files.ts'

/** A button that opens the browser's choice of files, or of a folder. */
export const FilePick = ({
  label,
  icon: Icon,
  look = 'plain',
  accept = null,
  onFiles,
}: {
  label: string
  icon: typeof FileUp
  look?: 'primary' | 'plain'
  /** The endings of the files that are offered; null for a folder. */
  accept?: string | null
  onFiles: (files: readonly FileAt[]) => void
}) => {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look={look} onClick={() => field.current?.click()}>
        <Icon size={16} aria-hidden="true" /> {label}
      </Button>
      <input
        ref={field}
        type="file"
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        multiple
        {...(accept === null ? { webkitdirectory: '' } : { accept })}
        onChange={(event) => {
          const files = filesOfList(event.target.files)
          // The same file, changed meanwhile, can be chosen again.
          event.target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
