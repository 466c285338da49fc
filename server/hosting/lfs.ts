const pointer = new TextEncoder().encode('version https://git-lfs.github.com/spec/')

/** Whether a file is the pointer that Git LFS keeps in place of a large one. */
export const isLfsPointer = (bytes: Uint8Array): boolean => pointer.every((byte, at) => bytes[at] === byte)
