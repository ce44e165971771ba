interface Page<Data> {
  readonly data: Data;
  readonly headers: { readonly link?: string };
}

/** Fetches page after page, numbered from 1, while GitHub names a next one; for answers that are not plain lists. */
export async function collectPages<Data>(fetchPage: (page: number) => Promise<Page<Data>>): Promise<Data[]> {
  const pages: Data[] = [];
  for (let hasNext = true; hasNext; ) {
    const { data, headers } = await fetchPage(pages.length + 1);
    pages.push(data);
    hasNext = /;\s*rel="next"/.test(headers.link ?? "");
  }
  return pages;
}
