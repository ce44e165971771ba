/** The repository itself: people, branches, references, releases. */

import { type ApiCall, ApiError, type Handler, notFound, requireStored } from "./api-call.ts";
import { legacyPermission, permissionFlags, renderLogin, renderPerson } from "./render-people.ts";
import { renderCommit, renderRelease, renderRepository } from "./render-repository.ts";
import { repositoryUrls } from "./render-threads.ts";
import { findPerson } from "./state.ts";

const renderRef = (ref: string, call: ApiCall) => ({
  ref,
  node_id: `REF_${ref}`,
  url: `${repositoryUrls(call).api}/git/${ref}`,
  object: {
    type: "commit",
    sha: requireStored(call.state.refs, ref),
    url: `${repositoryUrls(call).api}/git/commits/${call.state.refs.get(ref)}`,
  },
});

export const repositoryRoutes: Readonly<Record<string, Handler>> = {
  "repos/get": (call) => ({ status: 200, body: renderRepository(call) }),

  "repos/get-collaborator-permission-level": (call) => {
    const login = String(call.path["username"]);
    const person = findPerson(call.state, login);
    if (person === undefined || person.type === "Bot") throw new ApiError(404, `${login} is not a user`);
    const collaborator = call.state.collaborators.get(login.toLowerCase());
    const role = collaborator?.role ?? (call.state.isPrivate ? undefined : "read");
    const roleName = collaborator?.customRole ?? role ?? "none";
    return {
      status: 200,
      body: {
        permission: legacyPermission(role),
        role_name: roleName,
        user: {
          ...renderPerson(person, call.links),
          permissions: permissionFlags(role),
          role_name: roleName,
        },
      },
    };
  },

  "repos/get-branch": (call) => {
    const name = String(call.path["branch"]);
    const sha = call.state.refs.get(`refs/heads/${name}`);
    if (sha === undefined) throw new ApiError(404, "Branch not found");
    const commit = renderCommit(requireStored(call.state.commits, sha), call);
    return { status: 200, body: { name, commit, protected: false } };
  },

  "git/get-ref": (call) => ({ status: 200, body: renderRef(`refs/${call.path["ref"]}`, call) }),

  "git/list-matching-refs": (call) => ({
    status: 200,
    list: [...call.state.refs.keys()]
      .filter((ref) => ref.startsWith(`refs/${call.path["ref"]}`))
      .map((ref) => renderRef(ref, call)),
  }),

  "git/create-ref": (call) => {
    const ref = String(call.body["ref"]);
    if (call.state.refs.has(ref)) throw new ApiError(422, "Reference already exists");
    if (!call.state.commits.has(String(call.body["sha"]))) throw new ApiError(422, "Object does not exist");
    call.state.refs.set(ref, String(call.body["sha"]));
    return { status: 201, body: renderRef(ref, call) };
  },

  "git/update-ref": (call) => {
    const ref = `refs/${call.path["ref"]}`;
    if (!call.state.refs.has(ref)) throw new ApiError(422, "Reference does not exist");
    call.state.refs.set(ref, String(call.body["sha"]));
    return { status: 200, body: renderRef(ref, call) };
  },

  "git/delete-ref": (call) => {
    if (!call.state.refs.delete(`refs/${call.path["ref"]}`))
      throw new ApiError(422, "Reference does not exist");
    return { status: 204 };
  },

  "repos/list-releases": (call) => ({
    status: 200,
    list: call.state.releases.toReversed().map((release) => renderRelease(release, call)),
  }),

  "repos/get-latest-release": (call) => {
    const release = call.state.releases.at(-1);
    if (release === undefined) throw notFound();
    return { status: 200, body: renderRelease(release, call) };
  },

  "repos/get-release-by-tag": (call) => {
    const release = call.state.releases.find(({ tag }) => tag === call.path["tag"]);
    if (release === undefined) throw notFound();
    return { status: 200, body: renderRelease(release, call) };
  },

  "users/get-authenticated": (call) => ({ status: 200, body: renderLogin(call.actor.login, call) }),

  "users/get-by-username": (call) => {
    const person = findPerson(call.state, String(call.path["username"]));
    if (person === undefined) throw notFound();
    return { status: 200, body: renderPerson(person, call.links) };
  },
};
