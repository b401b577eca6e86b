"""The Model Context Protocol on standard input and output, by its official library."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from ordbo_cli.drive.agents.tool_table import INSTRUCTIONS, TOOLS, ToolSpec
from ordbo_cli.drive.agents.toolbox import FILE_URIS, Toolbox
from ordbo_cli.drive.protocol import refusal
from ordbo_cli.errors import OrdboError

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

T = TypeVar("T")


class McpServer:
    """Answers an agent's requests, one after the other, in a thread of their own.

    Args:
        toolbox: carries out calls.
        version: of this program.
        fault: is told of internal errors.
    """

    def __init__(self, toolbox: Toolbox, version: str, fault: Callable[[Exception], None]) -> None:
        self._toolbox = toolbox
        self._fault = fault
        self._turn = anyio.Lock()
        self._busy = threading.Lock()
        self.server: Server[Any] = Server(
            "ordbo",
            title="ordbo: optimisation by the order of results",
            version=version,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )

    def serve(self) -> None:
        """Answer what comes on standard input, until that ends."""
        anyio.run(self._serve)

    def finish(self, seconds: float) -> None:
        """Wait for the end of a call that is being carried out, and let no other one begin; for a signal's handler.

        Args:
            seconds: that it may take; what it writes is whole in any case.
        """
        self._busy.acquire(timeout=seconds)

    async def _serve(self) -> None:
        async with stdio_server() as (reading, writing):
            await self.server.run(reading, writing, self.server.create_initialization_options())

    async def _in_turn(self, call: Callable[..., T], *arguments: Any) -> T:
        """Do some work once the work before it is done; where the agent has lost interest it is done all the same."""

        def work() -> T:
            with self._busy:
                return call(*arguments)

        async with self._turn:
            return await anyio.to_thread.run_sync(work)

    async def _list_tools(
        self, context: ServerRequestContext[Any], given: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(each) for each in TOOLS.values()])

    async def _call_tool(
        self, context: ServerRequestContext[Any], given: types.CallToolRequestParams
    ) -> types.CallToolResult:
        answer = await self._in_turn(self._toolbox.call, given.name, given.arguments or {})
        if answer.fault is not None:
            self._fault(answer.fault)
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=answer.line)]
        if answer.image is not None:
            data, kind = answer.image
            content.append(types.ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type=kind))
        return types.CallToolResult(content=content, is_error=answer.refused)

    async def _list_resources(
        self, context: ServerRequestContext[Any], given: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        found = await self._in_turn(self._toolbox.resources)
        return types.ListResourcesResult(
            resources=[types.Resource(uri=uri, name=name, mime_type=kind) for uri, name, kind in found]
        )

    async def _list_templates(
        self, context: ServerRequestContext[Any], given: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(uri_template=f"{start}{{+problem}}", name=what, mime_type=kind)
                for start, (kind, what) in FILE_URIS.items()
            ]
        )

    async def _read_resource(
        self, context: ServerRequestContext[Any], given: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        try:
            text, kind = await self._in_turn(self._toolbox.read, str(given.uri))
        except OrdboError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=str(error), data={"uri": str(given.uri)}) from None
        except Exception as error:
            self._fault(error)
            said = refusal(error)
            raise MCPError(code=types.INTERNAL_ERROR, message=f"{said['message']}. {said['hint']}") from None
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=given.uri, text=text, mime_type=kind)])


def _tool(spec: ToolSpec) -> types.Tool:
    hints = types.ToolAnnotations(
        title=spec.title,
        read_only_hint=not spec.writes,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=False,
    )
    return types.Tool(
        name=spec.name, title=spec.title, description=spec.description, input_schema=spec.schema, annotations=hints
    )
